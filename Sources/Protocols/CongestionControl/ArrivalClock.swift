import MediaBase

/// Takes the wraps out of arrival times, which are told modulo 2^24 * 64 ms.
struct ArrivalClock {
  private static let modulus: Int64 = (1 << 24) * 64_000_000
  private var latest: Int64?

  /// The time nearest to the last one that is equal modulo the clock's period.
  mutating func unwrap(_ time: MediaInstant) -> MediaInstant {
    guard let latest else {
      self.latest = time.nanoseconds
      return time
    }
    var difference = (time.nanoseconds &- latest) % Self.modulus
    if difference > Self.modulus / 2 { difference -= Self.modulus }
    if difference < -Self.modulus / 2 { difference += Self.modulus }
    // Wraps after centuries of jumps; what uses it starts anew at every jump.
    let result = latest &+ difference
    self.latest = result
    return MediaInstant(nanoseconds: result)
  }
}
