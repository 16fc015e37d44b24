import MediaBase

/// How many messages a connection may still send: a bucket that fills with time.
struct MessageAllowance {
  private let burst: Double
  private var tokens: Double
  private var time: MediaInstant

  /// Messages a second that are earned back.
  static let rate = 50.0

  init(burst: Int, now: MediaInstant) {
    self.burst = Double(burst)
    tokens = Double(burst)
    time = now
  }

  /// Takes one; false if there is none left.
  mutating func take(now: MediaInstant) -> Bool {
    tokens = min(burst, tokens + (now - time).seconds * Self.rate)
    time = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
