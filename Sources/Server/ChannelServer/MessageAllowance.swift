import MediaBase

/// How many messages a connection may still send: a bucket that fills with time. A long message counts as several, for
/// reading it takes as long.
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

  /// Bytes that a message may have for each time that it counts.
  static let byteCount = 4_096

  /// Takes what a message of so many bytes counts; false if that is not left.
  mutating func take(byteCount: Int, now: MediaInstant) -> Bool {
    tokens = min(burst, tokens + (now - time).seconds * Self.rate)
    time = now
    let cost = Double(1 + byteCount / Self.byteCount)
    guard tokens >= cost else { return false }
    tokens -= cost
    return true
  }

  /// Whether everything has been earned back.
  func isFull(now: MediaInstant) -> Bool { tokens + (now - time).seconds * Self.rate >= burst }
}
