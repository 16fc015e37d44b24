public import MediaEngine

/// What has to be known before calls go out or come in. Replaces the earlier one as a whole.
public struct PrepareConfiguration: Sendable {
  /// The channel of calls that go out from here. Empty for a fresh one for each call, whose name nobody can guess: whoever
  /// was in an earlier call does not know that of a later one.
  public var roomID: String
  /// Proof of the right to join any room; empty for a server in development mode.
  public var rtcToken: String
  /// How long a call may ring and connect, in milliseconds; 0 for no limit here.
  public var callTimeoutMilliseconds: Int
  /// What every message tells the other side about this user.
  public var userExtension: [String: JSONValue]?
  /// Whether a call counts as connected when it is accepted, without waiting for the first picture or sound.
  public var isFirstFrameWaitingDisabled: Bool

  /// How long the other side may be gone from the channel of a call that is connected (or this side cut off from it), in
  /// milliseconds, before the call ends by itself. It also ends when the server has removed the other side (error 123). 0
  /// leaves both to the application.
  public var peerAbsenceTimeoutMilliseconds: Int
  /// Where the own camera is shown during video calls; `nil` to leave the engine's local canvas alone.
  public var localView: VideoCanvas.Target?
  /// Where the other side is shown once a video call is connected.
  public var remoteView: VideoCanvas.Target?

  /// Makes a configuration.
  public init(
    roomID: String = "", rtcToken: String = "", callTimeoutMilliseconds: Int = 15_000,
    userExtension: [String: JSONValue]? = nil, isFirstFrameWaitingDisabled: Bool = false,
    peerAbsenceTimeoutMilliseconds: Int = 0, localView: VideoCanvas.Target? = nil, remoteView: VideoCanvas.Target? = nil
  ) {
    self.localView = localView
    self.remoteView = remoteView
    self.roomID = roomID
    self.rtcToken = rtcToken
    self.callTimeoutMilliseconds = callTimeoutMilliseconds
    self.userExtension = userExtension
    self.isFirstFrameWaitingDisabled = isFirstFrameWaitingDisabled
    self.peerAbsenceTimeoutMilliseconds = peerAbsenceTimeoutMilliseconds
  }
}
