public import MediaBase

/// One direction of a simulated connection that loses nothing and keeps the order, as TCP does: what the path below loses
/// arrives later, and everything behind it too.
public struct ReliableLink: Sendable {
  /// What the path below does; only delay, jitter and loss matter.
  public var conditions: LinkConditions

  private var random: SeededRandom
  private var lastArrival = MediaInstant.zero

  /// The first wait before something lost is sent again; it doubles.
  private static let retransmissionTimeout = MediaDuration.milliseconds(200)
  /// So often in a row at most, so that there is a bound for everything.
  private static let longestRow = 3

  /// Makes a link; equal seeds give equal delays.
  public init(conditions: LinkConditions, seed: UInt64) {
    self.conditions = conditions
    random = SeededRandom(seed: seed)
  }

  /// When a message arrives that is sent at `now`. While the path is dead, messages wait for its end.
  public mutating func arrival(now: MediaInstant, deadUntil: MediaInstant) -> MediaInstant {
    var time = max(now, deadUntil) + conditions.delay
    if conditions.jitter > .zero {
      time = time + MediaDuration(nanoseconds: Int64.random(in: 0...conditions.jitter.nanoseconds, using: &random))
    }
    var wait = Self.retransmissionTimeout
    var lossCount = 0
    while lossCount < Self.longestRow, conditions.loss > 0, Double.random(in: 0..<1, using: &random) < conditions.loss {
      time = time + wait
      wait = wait * 2
      lossCount += 1
    }
    lastArrival = max(time, lastArrival)
    return lastArrival
  }
}
