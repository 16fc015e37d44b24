import MediaBase

/// Counters of one send stream since it was added, and what the other side reports of it.
public struct SendStatistics: Hashable, Sendable {
  /// Packets sent, without retransmissions.
  public var packetsSent = 0
  /// Bytes of payload in them.
  public var payloadBytesSent = 0
  /// Packets sent again.
  public var packetsRetransmitted = 0
  /// Pictures or packets of sound handed in.
  public var framesSent = 0
  /// Key frames among them.
  public var keyFramesSent = 0
  /// Sequence numbers that the other side asked for again.
  public var retransmissionsRequested = 0
  /// Key frames that the other side asked for.
  public var keyFramesRequested = 0
  /// Share of packets lost in the other side's last report, 0 to 1; `nil` before the first.
  public var remoteFractionLost: Double?
  /// Packets lost since the start in the other side's last report.
  public var remotePacketsLost = 0
  /// Jitter in the other side's last report.
  public var remoteJitter = MediaDuration.zero
}
