import MediaBase

/// When the pictures of a stream were captured, by its sender's wall clock: from what sender reports (RFC 3550 section 6.4.1)
/// and the capture time extension say of single timestamps, and the 90 kHz clock in between.
struct CaptureClock {
  /// What is more than this, or less than nothing, is no delay: the clocks of the two machines disagree.
  private static let longest = MediaDuration.seconds(10 as Int64)
  private static let clockRate: Int64 = 90_000

  private var reference: (ntp: UInt64, timestamp: UInt32)?
  /// From capture to arrival of the whole picture, smoothed.
  private(set) var delay: MediaDuration?

  /// The sender says when, by its wall clock, the instant `timestamp` was.
  mutating func told(_ ntpTimestamp: UInt64, of timestamp: UInt32) {
    guard ntpTimestamp != 0 else { return }
    reference = (ntpTimestamp, timestamp)
  }

  /// A picture is complete.
  mutating func completed(_ timestamp: UInt32, wallTime: MediaInstant) {
    guard let reference else { return }
    let ticks = Int64(Int32(bitPattern: timestamp &- reference.timestamp))
    let sinceReference = MediaDuration(nanoseconds: ticks * 1_000_000_000 / Self.clockRate)
    let passed = NTPTime.difference(NTPTime.timestamp(wallTime), reference.ntp)
    guard let sample = passed.map({ $0 - sinceReference }), sample >= .zero, sample <= Self.longest else {
      delay = nil
      return
    }
    delay = delay.map { $0 + (sample - $0) / 8 } ?? sample
  }
}
