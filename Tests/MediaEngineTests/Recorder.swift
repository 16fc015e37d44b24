import MediaEngine
import Synchronization
import TestSupport

/// A delegate that writes down what it is told, as short texts.
final class Recorder: RTCEngineDelegate {
  private let entries = Mutex<[String]>([])

  var log: [String] { entries.withLock { $0 } }

  func clear() { entries.withLock { $0.removeAll() } }

  func note(_ entry: String) { entries.withLock { $0.append(entry) } }

  /// Waits until `entry` has come `count` times; whether it has.
  func heard(_ entry: String, count: Int = 1) async -> Bool {
    await eventually { self.log.count { $0 == entry } >= count }
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinChannel uid: UInt, elapsed: Int) {
    note("joined \(connection.channelID)/\(uid)")
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didRejoinChannel uid: UInt, elapsed: Int) {
    note("rejoined \(connection.channelID)/\(uid)")
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didLeaveChannel statistics: RTCStatistics) {
    note("left \(connection.channelID)")
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int) {
    note("user \(uid) joined")
  }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason
  ) { note("user \(uid) offline \(reason.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, connectionChanged state: ConnectionState,
    reason: ConnectionChangedReason
  ) { note("state \(state.rawValue),\(reason.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String
  ) { note("error \(code.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteVideoStateChangedOfUID uid: UInt, state: RemoteVideoState,
    reason: RemoteVideoStateReason, elapsed: Int
  ) { note("video \(uid) \(state.rawValue),\(reason.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteAudioStateChangedOfUID uid: UInt, state: RemoteAudioState,
    reason: RemoteAudioStateReason, elapsed: Int
  ) { note("audio \(uid) \(state.rawValue),\(reason.rawValue)") }
  func rtcEngine(_ engine: RTCEngine, firstLocalVideoFrame width: Int, height: Int, elapsed: Int) {
    note("first local video")
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalVideoFramePublished elapsed: Int) {
    note("video published")
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalAudioFramePublished elapsed: Int) {
    note("audio published")
  }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteVideoDecodedOfUID uid: UInt, width: Int, height: Int,
    elapsed: Int
  ) { note("first video \(uid)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteAudioFrameOfUID uid: UInt, elapsed: Int
  ) { note("first audio \(uid)") }
  func rtcEngine(
    _ engine: RTCEngine, localVideoStateChanged state: LocalVideoState, reason: LocalVideoStateReason
  ) { note("local video \(state.rawValue),\(reason.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, localAudioStateChanged state: LocalAudioState, reason: LocalAudioStateReason
  ) { note("local audio \(state.rawValue),\(reason.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole
  ) { note("role \(oldRole.rawValue) to \(newRole.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChangeFailed reason: ClientRoleChangeFailedReason,
    currentRole: ClientRole
  ) { note("role failed \(reason.rawValue), still \(currentRole.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, renewTokenResult result: RenewTokenResult, token: String
  ) { note("token renewed \(result.rawValue)") }
}
