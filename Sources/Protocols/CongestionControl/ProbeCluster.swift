/// A short train of packets at a rate that is to be tried.
public struct ProbeCluster: Hashable, Sendable {
  /// Goes with each of its packets to `BandwidthEstimator.sent`; never 0.
  public var id: UInt8
  /// In bits per second.
  public var bitrate: Int
  /// To be sent at least, and until `minimumByteCount` has been too.
  public var minimumPacketCount: Int
  /// 15 ms of the rate.
  public var minimumByteCount: Int

  /// Makes a cluster of five packets and 15 ms at least.
  public init(id: UInt8, bitrate: Int) {
    self.id = id
    self.bitrate = max(bitrate, 1)
    minimumPacketCount = 5
    minimumByteCount = max(Int(Double(self.bitrate) * 0.015 / 8), 1)
  }
}
