public import MediaEngine

/// What has to be known before calls go out or come in. Replaces the earlier one as a whole.
public struct PrepareConfiguration: Sendable {
  /// The channel of calls that go out from here; a fresh one for each preparation.
  public var roomID: String
  /// Proof of the right to join any room; empty for a server in development mode.
  public var rtcToken: String
  /// How long a call may ring and connect, in milliseconds; 0 for no limit here.
  public var callTimeoutMilliseconds: Int
  /// What every message tells the other side about this user.
  public var userExtension: [String: JSONValue]?
  /// Whether a call counts as connected when it is accepted, without waiting for the first picture or sound.
  public var isFirstFrameWaitingDisabled: Bool

  /// Where the own camera is shown during video calls; `nil` to leave the engine's local canvas alone.
  public var localView: VideoCanvas.Target?
  /// Where the other side is shown once a video call is connected.
  public var remoteView: VideoCanvas.Target?

  /// Makes a configuration.
  public init(
    roomID: String, rtcToken: String = "", callTimeoutMilliseconds: Int = 15_000,
    userExtension: [String: JSONValue]? = nil, isFirstFrameWaitingDisabled: Bool = false,
    localView: VideoCanvas.Target? = nil, remoteView: VideoCanvas.Target? = nil
  ) {
    self.localView = localView
    self.remoteView = remoteView
    self.roomID = roomID
    self.rtcToken = rtcToken
    self.callTimeoutMilliseconds = callTimeoutMilliseconds
    self.userExtension = userExtension
    self.isFirstFrameWaitingDisabled = isFirstFrameWaitingDisabled
  }
}
