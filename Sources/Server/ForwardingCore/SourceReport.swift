import MediaBase

/// The last sender report of a publisher's stream: how its clock and its wall clock belong together.
struct SourceReport {
  var ntpTimestamp: UInt64
  var rtpTimestamp: UInt32
  var arrival: MediaInstant

  /// The same relation, carried on to `now`: what a report of ours says, so that subscribers keep sound and picture
  /// together by the publisher's clocks and not by when packets came here.
  func carried(to now: MediaInstant, clockRate: Int64) -> (ntpTimestamp: UInt64, rtpTimestamp: UInt32) {
    let microseconds = max((now - arrival).nanoseconds / 1_000, 0)
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let ntp = UInt64(truncatingIfNeeded: seconds) &<< 32 &+ (UInt64(truncatingIfNeeded: rest) &<< 32) / 1_000_000
    let ticks = UInt32(truncatingIfNeeded: microseconds &* clockRate / 1_000_000)
    return (ntpTimestamp &+ ntp, rtpTimestamp &+ ticks)
  }

  /// Whether both say the same of the clocks, to half a second.
  func agrees(with later: SourceReport, clockRate: Int64) -> Bool {
    let between = Int64(bitPattern: later.ntpTimestamp &- ntpTimestamp)
    guard between.magnitude < 3_600 &<< 32 else { return false }
    let ticks = ((between >> 16) * clockRate) >> 16
    let distance = UInt32(truncatingIfNeeded: ticks) &- (later.rtpTimestamp &- rtpTimestamp)
    return Int64(Int32(bitPattern: distance)).magnitude < UInt64(clockRate) / 2
  }
}
