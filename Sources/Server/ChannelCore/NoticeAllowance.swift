import MediaBase

/// How many messages to others a user's changes may still lead to: a bucket that fills with time. One change leads to as many
/// as there are others in the channel.
struct NoticeAllowance: Sendable {
  private var tokens: Double
  private var time: MediaInstant?
  private let burst: Double
  private let rate: Double

  /// - Parameters:
  ///   - burst: messages in a row.
  ///   - rate: messages a second that are earned back.
  init(burst: Int, rate: Int) {
    self.burst = Double(max(1, burst))
    self.rate = Double(max(1, rate))
    tokens = self.burst
  }

  /// What `count` messages cost: never more than can be saved up.
  private func cost(_ count: Int) -> Double { min(Double(count), burst) }

  private func available(now: MediaInstant) -> Double {
    guard let time else { return tokens }
    return min(burst, tokens + max(0, (now - time).seconds) * rate)
  }

  /// Takes so many messages; false, and nothing is taken, if they are not left.
  mutating func take(_ count: Int, now: MediaInstant) -> Bool {
    tokens = available(now: now)
    time = now
    guard tokens >= cost(count) else { return false }
    tokens -= cost(count)
    return true
  }

  /// When so many will be left, if nothing is taken before.
  func instant(for count: Int, now: MediaInstant) -> MediaInstant {
    let missing = max(0, cost(count) - available(now: now))
    // A little later, for what is lost in rounding.
    return now + .milliseconds(Int64((missing / rate * 1_000).rounded(.up)) + 1)
  }
}
