import MediaEngine

/// A recorder that writes down what the others leave out: single streams and reports.
final class StreamRecorder: RTCEngineDelegate {
  let recorder = Recorder()

  var log: [String] { recorder.log }

  func heard(_ entry: String, count: Int = 1) async -> Bool { await recorder.heard(entry, count: count) }

  private func note(_ entry: String) { recorder.note(entry) }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didAudioMuted muted: Bool, byUID uid: UInt) {
    note("audio muted \(uid) \(muted)")
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didVideoMuted muted: Bool, byUID uid: UInt) {
    note("video muted \(uid) \(muted)")
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didVideoEnabled enabled: Bool, byUID uid: UInt) {
    note("video enabled \(uid) \(enabled)")
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didLocalVideoEnabled enabled: Bool, byUID uid: UInt) {
    note("local video enabled \(uid) \(enabled)")
  }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, userStateChanged state: UserMediaState, ofUID uid: UInt
  ) { note("user state \(uid) \(state.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didVideoPublishStateChange oldState: StreamPublishState,
    newState: StreamPublishState, elapsed: Int
  ) { note("publish video \(oldState.rawValue)>\(newState.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didVideoSubscribeStateChangeOfUID uid: UInt,
    oldState: StreamSubscribeState, newState: StreamSubscribeState, elapsed: Int
  ) { note("subscribe video \(uid) \(oldState.rawValue)>\(newState.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, receiveStreamMessageFromUID uid: UInt, streamID: Int, data: [UInt8]
  ) { note("data \(uid)/\(streamID) \(data)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didOccurEncryptionError type: EncryptionErrorType, ofUID uid: UInt
  ) { note("encryption \(uid) \(type.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String
  ) { note("error \(code.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, snapshotTakenOfUID uid: UInt, path: String, width: Int, height: Int,
    error: Int
  ) { note("snapshot \(uid) \(width)x\(height) \(error)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteVideoFrameOfUID uid: UInt, width: Int, height: Int,
    elapsed: Int
  ) { note("shown \(uid)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteVideoDecodedOfUID uid: UInt, width: Int, height: Int,
    elapsed: Int
  ) { note("decoded \(uid) \(width)x\(height)") }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstRemoteAudioDecodedOfUID uid: UInt, elapsed: Int) {
    note("audio decoded \(uid)")
  }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection?, videoSizeChangedOfUID uid: UInt, width: Int, height: Int,
    rotation: Int
  ) { note("size \(uid) \(width)x\(height)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, videoRenderingTracingResultOfUID uid: UInt, event: MediaTraceEvent,
    info: VideoRenderingTracingInfo
  ) { note("trace \(uid) \(event.rawValue)") }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole,
    newRoleOptions options: ClientRoleOptions
  ) { note("role \(oldRole.rawValue)>\(newRole.rawValue) \(options.audienceLatencyLevel.rawValue)") }
}
