import MediaBase

/// The monotonic clock in NTP's format. RFC 3550 section 6.4.1 allows a sender without wall clock to count from an origin
/// of its own, which is what a state machine without clocks has.
enum NTPTime {
  /// 32 bits of seconds, 32 bits of fraction.
  static func timestamp(_ instant: MediaInstant) -> UInt64 {
    let nanoseconds = UInt64(bitPattern: max(instant.nanoseconds, 0))
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds &<< 32 | (rest &<< 32) / 1_000_000_000
  }

  /// From one timestamp to another; `nil` if that is more than 18 hours.
  static func difference(_ later: UInt64, _ earlier: UInt64) -> MediaDuration? {
    let units = Int64(bitPattern: later &- earlier)
    guard units.magnitude < 65_536 &<< 32 else { return nil }
    let (seconds, fraction) = (units >> 32, units & 0xFFFF_FFFF)
    return MediaDuration(nanoseconds: seconds * 1_000_000_000 + (fraction * 1_000_000_000) >> 32)
  }

  /// The middle 32 bits, which reports refer to.
  static func middle(_ timestamp: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: timestamp &>> 16) }

  /// A length in 1/65,536 s.
  static func duration(_ units: UInt32) -> MediaDuration {
    MediaDuration(nanoseconds: (Int64(units) &* 1_000_000_000) &>> 16)
  }

  /// A length in 1/65,536 s, at most 18 hours; negative ones count as 0.
  static func units(_ duration: MediaDuration) -> UInt32 {
    let limited = min(max(duration.nanoseconds, 0), 65_535_000_000_000)
    return UInt32(truncatingIfNeeded: ((limited / 1_000) &<< 16) / 1_000_000)
  }
}
