import MediaEngine

/// Prints what an engine reports, one line an event.
final class EventPrinter: RTCEngineDelegate {
  private let onJoined: @Sendable () -> Void
  private let onFailed: @Sendable (ConnectionChangedReason) -> Void

  /// `onFailed` is called when a connection has failed for good.
  init(
    onJoined: @escaping @Sendable () -> Void = {},
    onFailed: @escaping @Sendable (ConnectionChangedReason) -> Void = { _ in }
  ) {
    self.onJoined = onJoined
    self.onFailed = onFailed
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinChannel uid: UInt, elapsed: Int) {
    Terminal.event("joined \(connection.channelID) as \(uid) after \(elapsed) ms")
    onJoined()
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didRejoinChannel uid: UInt, elapsed: Int) {
    Terminal.event("joined \(connection.channelID) again")
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int) {
    Terminal.event("user \(uid) is in \(connection.channelID)")
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason) {
    Terminal.event("user \(uid) has gone (\(reason))")
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, connectionChanged state: ConnectionState,
    reason: ConnectionChangedReason
  ) {
    Terminal.event("connection to \(connection.channelID): \(state) (\(reason))")
    if state == .failed { onFailed(reason) }
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String)
  {
    Terminal.error("\(message) (\(code))")
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteVideoStateChangedOfUID uid: UInt, state: RemoteVideoState,
    reason: RemoteVideoStateReason, elapsed: Int
  ) { Terminal.event("video of \(uid): \(state) (\(reason))") }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteAudioStateChangedOfUID uid: UInt, state: RemoteAudioState,
    reason: RemoteAudioStateReason, elapsed: Int
  ) { Terminal.event("sound of \(uid): \(state) (\(reason))") }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteVideoDecodedOfUID uid: UInt, width: Int, height: Int,
    elapsed: Int
  ) { Terminal.event("first picture of \(uid): \(width)x\(height), \(elapsed) ms after joining began") }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, tokenPrivilegeWillExpire token: String) {
    Terminal.event("the token for \(connection.channelID) ends soon")
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalVideoFramePublished elapsed: Int) {
    Terminal.event("first picture sent to \(connection.channelID)")
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalAudioFramePublished elapsed: Int) {
    Terminal.event("first sound sent to \(connection.channelID)")
  }
}
