public import MediaEngine

/// What has to be known before calls go out or come in. Replaces the earlier one as a whole.
public struct PrepareConfiguration: Sendable {
  /// The channel of calls that go out from here. Empty for a fresh one for each call, whose name nobody can guess: whoever
  /// was in an earlier call does not know that of a later one.
  public var roomID: String
  /// Proof of the right to join any room; empty for a server in development mode.
  public var rtcToken: String
  /// Asked for a token for each room that is to be joined, in place of `rtcToken`, and again when it ends soon: called with
  /// the room and the user, on the callback queue; answered once with a token, or `nil` if there is none. With tokens that
  /// name the room of one call nobody can come into the room of another, whatever rooms he has learned of.
  public var tokenProvider: TokenProvider?
  /// How long a call may ring and connect, in milliseconds; 0 for no limit here.
  public var callTimeoutMilliseconds: Int
  /// What every message tells the other side about this user.
  public var userExtension: [String: JSONValue]?
  /// Whether a call counts as connected when it is accepted, without waiting for the first picture or sound.
  public var isFirstFrameWaitingDisabled: Bool

  /// Whether calls are encrypted between the ends, with a key that both sides agree on for each call. Nothing is then
  /// published before the call has been accepted.
  public var endToEndEncryption: CallEncryptionPolicy

  /// How long the other side may be gone from the channel of a call that is connected (or this side cut off from it), in
  /// milliseconds, before the call ends by itself. It also ends when the server has removed the other side (error 123). 0
  /// leaves both to the application.
  public var peerAbsenceTimeoutMilliseconds: Int
  /// Where the own camera is shown during video calls; `nil` to leave the engine's local canvas alone.
  public var localView: VideoCanvas.Target?
  /// Where the other side is shown once a video call is connected.
  public var remoteView: VideoCanvas.Target?

  /// Gets a token for a room, see `tokenProvider`.
  public typealias TokenProvider =
    @Sendable (_ roomID: String, _ uid: UInt, _ answer: @escaping @Sendable (String?) -> Void) -> Void

  /// Makes a configuration.
  public init(
    roomID: String = "", rtcToken: String = "", tokenProvider: TokenProvider? = nil,
    callTimeoutMilliseconds: Int = 15_000,
    userExtension: [String: JSONValue]? = nil, isFirstFrameWaitingDisabled: Bool = false,
    endToEndEncryption: CallEncryptionPolicy = .off, peerAbsenceTimeoutMilliseconds: Int = 0,
    localView: VideoCanvas.Target? = nil, remoteView: VideoCanvas.Target? = nil
  ) {
    self.localView = localView
    self.remoteView = remoteView
    self.roomID = roomID
    self.rtcToken = rtcToken
    self.tokenProvider = tokenProvider
    self.callTimeoutMilliseconds = callTimeoutMilliseconds
    self.userExtension = userExtension
    self.isFirstFrameWaitingDisabled = isFirstFrameWaitingDisabled
    self.endToEndEncryption = endToEndEncryption
    self.peerAbsenceTimeoutMilliseconds = peerAbsenceTimeoutMilliseconds
  }
}
