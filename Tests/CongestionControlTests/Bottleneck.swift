import MediaBase

/// A line that several flows share: a rate, a queue before it, and a way behind it.
struct Bottleneck {
  struct Conditions {
    var bitsPerSecond = 1_000_000
    var delay = MediaDuration.milliseconds(20)
    var queueLimit = MediaDuration.milliseconds(400)
    var loss = 0.0
    /// Added to `delay`, uniformly from nothing to this.
    var jitter = MediaDuration.zero
    var reorders = false
  }

  var conditions: Conditions
  /// How long each packet waited for the line, with the time.
  private(set) var waits: [(time: MediaInstant, wait: MediaDuration)] = []
  private(set) var dropCount = 0
  private var random: SeededRandom
  /// Bits before the line.
  private var backlog = 0.0
  private var updated = MediaInstant.zero
  private var lastArrival = MediaInstant.zero

  init(_ conditions: Conditions, seed: UInt64) {
    self.conditions = conditions
    random = SeededRandom(seed: seed)
  }

  /// When a packet arrives that is sent at `now`; `nil` if it is lost.
  mutating func arrival(byteCount: Int, now: MediaInstant) -> MediaInstant? {
    let rate = Double(conditions.bitsPerSecond)
    backlog = max(0, backlog - rate * (now - updated).seconds)
    updated = now
    let wait = MediaDuration.seconds(backlog / rate)
    guard wait <= conditions.queueLimit else {
      dropCount += 1
      return nil
    }
    backlog += Double(byteCount) * 8
    waits.append((now, wait))
    if conditions.loss > 0, Double.random(in: 0..<1, using: &random) < conditions.loss { return nil }
    var time = now + .seconds(backlog / rate) + conditions.delay
    if conditions.jitter > .zero {
      time = time + MediaDuration(nanoseconds: Int64.random(in: 0...conditions.jitter.nanoseconds, using: &random))
    }
    if !conditions.reorders { time = max(time, lastArrival) }
    lastArrival = max(lastArrival, time)
    return time
  }

  /// What 95 of 100 packets did not wait longer than, of those sent from `begin` on.
  func wait95(from begin: MediaInstant) -> MediaDuration {
    let sorted = waits.filter { $0.time >= begin }.map(\.wait).sorted()
    return sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
  }
}
