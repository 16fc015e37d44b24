/// Where an estimate begins, and between what it stays.
public struct BandwidthEstimatorConfiguration: Hashable, Sendable {
  /// What the first probes are multiples of, in bits per second.
  public var startBitrate: Int
  /// The estimate never goes below this, in bits per second.
  public var minimumBitrate: Int
  /// The estimate never goes above this, in bits per second.
  public var maximumBitrate: Int
  /// How far the first probes go whatever the sender could use, in bits per second: who knows that a path is wide need
  /// not spread its pictures.
  public var probeCeiling: Int

  /// Makes a configuration; what is out of order is put in order.
  public init(
    startBitrate: Int = 300_000, minimumBitrate: Int = 30_000, maximumBitrate: Int = 100_000_000,
    probeCeiling: Int = 5_000_000
  ) {
    self.minimumBitrate = Swift.min(Swift.max(minimumBitrate, 5_000), 1_000_000_000)
    self.maximumBitrate = Swift.min(Swift.max(maximumBitrate, self.minimumBitrate), 10_000_000_000)
    self.startBitrate = Swift.min(Swift.max(startBitrate, self.minimumBitrate), self.maximumBitrate)
    self.probeCeiling = Swift.min(Swift.max(probeCeiling, self.startBitrate), self.maximumBitrate)
  }
}
