import MediaBase

/// Counters of one receive stream since it was added.
public struct ReceiveStatistics: Hashable, Sendable {
  /// Packets that came, retransmissions included, duplicates not.
  public var packetsReceived = 0
  /// Bytes of payload in them.
  public var payloadBytesReceived = 0
  /// Packets that were sent and neither came nor were recovered; negative values are reported as 0.
  public var packetsLost = 0
  /// Packets that came by retransmission only.
  public var packetsRecovered = 0
  /// Packets that came again, or too late to be of use.
  public var packetsDiscarded = 0
  /// Interarrival jitter (RFC 3550 section 6.4.1).
  public var jitter = MediaDuration.zero
  /// Sequence numbers asked for again, each time counted.
  public var retransmissionsRequested = 0
  /// Picture loss indications sent.
  public var keyFramesRequested = 0
  /// Pictures reported.
  public var framesDelivered = 0
  /// Key frames among them.
  public var keyFramesDelivered = 0
  /// Times when a gap could not be closed and decoding had to wait for a key frame.
  public var decodingBreaks = 0
  /// From capture to the picture's being complete here, smoothed, by the wall clocks of both machines; `nil` if unknown, or
  /// if these clocks disagree.
  public var endToEndDelay: MediaDuration?
  /// The same whatever the clocks say, and so of no use but to be compared with that of another stream of the same sender.
  public var transit: MediaDuration?
  /// Of sound, from the capture of the packet's last sample, when it could be sent, to its arrival; otherwise as
  /// `endToEndDelay`, which begins with the first sample.
  public var networkDelay: MediaDuration?
}
