public import ControlWire

/// What a `ChannelDirectory` announces and how much it accepts.
public struct ChannelDirectoryConfiguration: Sendable {
  /// Where clients send connectivity checks, best first.
  public var candidates: [CandidateAddress]
  /// Payload types and extension ids.
  public var rtp: RTPParameters
  /// Most channels at once.
  public var maximumChannelCount: Int
  /// Most users in one channel.
  public var maximumUserCount: Int
  /// Most users that all subscriptions together may name as exceptions. One that names no more than
  /// `usualExceptionCount` is taken all the same.
  public var maximumExceptionCount = 1_000_000
  /// See `maximumExceptionCount`.
  public var usualExceptionCount = 64
  /// Messages to others that one user's changes (what is published, mutes, roles) may lead to in a row, and how many a second
  /// are earned back: a change leads to as many as there are others in the channel.
  public var noticeBurst = 40_000
  /// See `noticeBurst`.
  public var noticeRate = 5_000

  /// Makes a configuration.
  public init(
    candidates: [CandidateAddress], rtp: RTPParameters = RTPParameters(), maximumChannelCount: Int = 10_000,
    maximumUserCount: Int = 10_000
  ) {
    self.candidates = candidates
    self.rtp = rtp
    self.maximumChannelCount = maximumChannelCount
    self.maximumUserCount = maximumUserCount
  }
}
