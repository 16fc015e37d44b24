public import MediaBase

/// Waiting times of an agent.
public struct ICETiming: Hashable, Sendable {
  /// Wait before a check is sent again; doubles with each repetition (RFC 8489 section 6.2.1).
  public var firstRetransmission: MediaDuration
  /// The longest wait between two checks of a candidate that does not answer.
  public var longestRetransmission: MediaDuration
  /// Distance between two checks of the chosen path, before the random factor of 0.8 to 1.2 (RFC 7675 section 5.1).
  public var consentInterval: MediaDuration
  /// After so long without a valid answer (lite: without a valid check) the path counts as gone (RFC 7675 section 5.1).
  public var consentTimeout: MediaDuration

  /// Makes waiting times; the defaults are the standards', with a first repetition that suits short paths.
  public init(
    firstRetransmission: MediaDuration = .milliseconds(50), longestRetransmission: MediaDuration = .milliseconds(1_600),
    consentInterval: MediaDuration = .milliseconds(5_000), consentTimeout: MediaDuration = .milliseconds(30_000)
  ) {
    self.firstRetransmission = firstRetransmission
    self.longestRetransmission = longestRetransmission
    self.consentInterval = consentInterval
    self.consentTimeout = consentTimeout
  }
}
