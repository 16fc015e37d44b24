/// Counts of packets since the start. RTP packets only, unless said otherwise.
public struct ForwardingStatistics: Hashable, Sendable {
  /// Datagrams of any kind that came in.
  public var receivedDatagrams: UInt64 = 0
  /// Media packets that came in and were kept for forwarding.
  public var receivedPackets: UInt64 = 0
  /// Bytes of these, after decryption, without headers.
  public var receivedPayloadBytes: UInt64 = 0
  /// Media packets sent to subscribers, without retransmissions.
  public var forwardedPackets: UInt64 = 0
  /// Bytes of these as sent.
  public var forwardedBytes: UInt64 = 0
  /// Packets sent again because a subscriber asked.
  public var retransmittedPackets: UInt64 = 0
  /// Packets that publishers were asked to send again.
  public var requestedPackets: UInt64 = 0
  /// Of the packets that publishers sent again, those that had been missing.
  public var recoveredPackets: UInt64 = 0
  /// Key frames that publishers were asked for.
  public var keyFrameRequests: UInt64 = 0
  /// Subscribers that began with a key frame from before they came.
  public var cachedStarts: UInt64 = 0
  /// Datagrams from addresses that no peer has proved to be its own, or of no known kind.
  public var droppedUnknown: UInt64 = 0
  /// Datagrams that did not authenticate.
  public var droppedUnauthenticated: UInt64 = 0
  /// Packets that were here before, or are too old.
  public var droppedDuplicate: UInt64 = 0
  /// Authentic packets that are not what was agreed: other SSRCs or payload types, malformed, too large.
  public var droppedInvalid: UInt64 = 0
  /// Authentic packets of tracks that are not published now.
  public var droppedUnpublished: UInt64 = 0
  /// Packets that could not be sealed or did not fit.
  public var droppedOutgoing: UInt64 = 0

  /// All zero.
  public init() {}

  /// Everything dropped on the way in.
  public var droppedIncoming: UInt64 {
    droppedUnknown &+ droppedUnauthenticated &+ droppedDuplicate &+ droppedInvalid &+ droppedUnpublished
  }
}
