public import MediaBase

/// How patient the forwarding room is.
public struct ForwardingConfiguration: Hashable, Sendable {
  /// How long a new peer may take to connect.
  public var connectTimeout: MediaDuration
  /// How long a connected peer may go without an authentic connectivity check (RFC 7675 section 5.1: 30 s).
  public var consentTimeout: MediaDuration
  /// A connected peer from whom nothing authentic has come for so long is reported as silent.
  public var silenceTimeout = MediaDuration.seconds(Int64(20))
  /// Time between reports to one peer, on average.
  public var reportInterval: MediaDuration
  /// Least time between two requests for a key frame of one publisher.
  public var keyFrameRequestInterval: MediaDuration
  /// When a request is first repeated while a subscriber waits for the key frame; later ones follow at up to eight times
  /// this distance.
  public var keyFrameRepeatInterval: MediaDuration
  /// For how long after a key frame further ones, asked for by subscribers that already receive, are put off.
  public var keyFrameHoldoff: MediaDuration
  /// Time between two transport-wide feedbacks to a publisher that wants them.
  public var transportFeedbackInterval: MediaDuration
  /// How long a missing packet may be late by reordering before it is asked for.
  public var reorderingTolerance: MediaDuration
  /// For how long packets of a picture wait for its last one, so that each subscriber gets them by one send call; only
  /// where `gatheringSubscriberCount` or more are sent to. A call costs as much as sixteen packets in it.
  public var gatherInterval = MediaDuration.microseconds(500)
  /// From how many subscribers on a stream's packets are gathered.
  public var gatheringSubscriberCount = 8
  /// How many voices of a channel are forwarded, the loudest by their packets' audio level (RFC 6464); 0 for all.
  public var loudestSpeakers = 0
  /// What a subscriber may get at once of the time before it came, instead of waiting for a key frame; nil for nothing.
  public var cachedStart: CachedStart?

  /// Makes a configuration.
  public init(
    connectTimeout: MediaDuration = .seconds(Int64(30)), consentTimeout: MediaDuration = .seconds(Int64(30)),
    reportInterval: MediaDuration = .seconds(Int64(1)), keyFrameRequestInterval: MediaDuration = .milliseconds(100),
    keyFrameRepeatInterval: MediaDuration = .milliseconds(200), keyFrameHoldoff: MediaDuration = .milliseconds(300),
    transportFeedbackInterval: MediaDuration = .milliseconds(50),
    reorderingTolerance: MediaDuration = .milliseconds(5)
  ) {
    self.connectTimeout = connectTimeout
    self.consentTimeout = consentTimeout
    self.reportInterval = reportInterval
    self.keyFrameRequestInterval = keyFrameRequestInterval
    self.keyFrameRepeatInterval = keyFrameRepeatInterval
    self.keyFrameHoldoff = keyFrameHoldoff
    self.transportFeedbackInterval = transportFeedbackInterval
    self.reorderingTolerance = reorderingTolerance
  }
}
