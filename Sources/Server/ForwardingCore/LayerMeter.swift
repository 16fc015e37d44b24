import MediaBase

/// Bits per second of a stream's temporal layers, over the last second in quarters.
struct LayerMeter {
  private static let quarter = MediaDuration.milliseconds(250)
  /// RTP header, an extension block and an authentication tag.
  private static let overheadByteCount: UInt32 = 36

  // Lanes are temporal ids; the quarters from the present one back.
  private var present = SIMD4<UInt32>(repeating: 0)
  private var first = SIMD4<UInt32>(repeating: 0)
  private var second = SIMD4<UInt32>(repeating: 0)
  private var third = SIMD4<UInt32>(repeating: 0)
  private var presentStart = MediaInstant.zero
  /// Quarters behind the present one that have been measured, up to 3.
  private var completeCount: Int64 = 0

  /// Counts a packet.
  mutating func count(byteCount: Int, temporalID: UInt8, now: MediaInstant) {
    if now - presentStart >= Self.quarter { advance(to: now) }
    present[Int(temporalID & 3)] &+= UInt32(truncatingIfNeeded: byteCount) &+ Self.overheadByteCount
  }

  private mutating func advance(to now: MediaInstant) {
    let passed = (now - presentStart).nanoseconds / Self.quarter.nanoseconds
    guard passed < 4 else {
      self = LayerMeter()
      presentStart = now
      return
    }
    for _ in 0..<passed {
      third = second
      second = first
      first = present
      present = SIMD4(repeating: 0)
    }
    presentStart = presentStart + Self.quarter * passed
    completeCount = min(completeCount + passed, 3)
  }

  /// Bits per second by temporal limit: each lane counts those below it too.
  func bitrates(now: MediaInstant) -> SIMD4<UInt32> {
    var copy = self
    if now - presentStart >= Self.quarter { copy.advance(to: now) }
    let span = Self.quarter * copy.completeCount + (now - copy.presentStart)
    // Less than a quarter says too little: the first pictures are large.
    let microseconds = max(span.nanoseconds, Self.quarter.nanoseconds) / 1_000
    let bytes = copy.present &+ copy.first &+ copy.second &+ copy.third
    var result = SIMD4<UInt32>(repeating: 0)
    var sum: UInt64 = 0
    for lane in 0..<4 {
      sum += UInt64(bytes[lane])
      result[lane] = UInt32(clamping: sum &* 8_000_000 / UInt64(microseconds))
    }
    return result
  }
}
