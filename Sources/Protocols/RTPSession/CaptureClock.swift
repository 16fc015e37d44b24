import MediaBase

/// When the pictures or the sound of a stream were captured, by its sender's wall clock: from what sender reports (RFC 3550
/// section 6.4.1) and the capture time extension say of single timestamps, and the stream's clock in between.
struct CaptureClock {
  /// What is more than this, or less than nothing, is no delay: the clocks of the two machines disagree.
  private static let longest = MediaDuration.seconds(10 as Int64)
  /// Another time than before by more than this is that of a clock that has been set, or of a stream that has begun anew.
  private static let jump = MediaDuration.seconds(1 as Int64)

  private let clockRate: Int
  private var reference: (ntp: UInt64, timestamp: UInt32)?
  /// From capture to arrival of the whole picture or packet, smoothed, as the two machines' clocks say, right or wrong: to be
  /// compared with another stream of the same sender.
  private(set) var transit: MediaDuration?

  init(clockRate: Int) { self.clockRate = clockRate }

  /// The same, if it can be a delay.
  var delay: MediaDuration? {
    transit.flatMap { $0 >= .zero && $0 <= Self.longest ? $0 : nil }
  }

  /// The sender says when, by its wall clock, the instant `timestamp` was.
  mutating func told(_ ntpTimestamp: UInt64, of timestamp: UInt32) {
    guard ntpTimestamp != 0 else { return }
    reference = (ntpTimestamp, timestamp)
  }

  /// A picture or packet is complete.
  mutating func completed(_ timestamp: UInt32, wallTime: MediaInstant) {
    guard let reference else { return }
    let ticks = Int(Int32(bitPattern: timestamp &- reference.timestamp))
    let sinceReference = MediaDuration.samples(ticks, rate: clockRate)
    let passed = NTPTime.difference(NTPTime.timestamp(wallTime), reference.ntp)
    guard let sample = passed.map({ $0 - sinceReference }) else {
      transit = nil
      return
    }
    let change = transit.map { sample - $0 } ?? .zero
    let isSteady = change < Self.jump && .zero - change < Self.jump
    transit = isSteady ? transit.map { $0 + change / 8 } ?? sample : sample
  }
}
