public import MediaBase

/// One direction of a simulated network path: says when a datagram arrives, if it does.
public struct SimulatedLink: Sendable {
  /// What the path does from now on; may be changed while datagrams are under way.
  public var conditions: LinkConditions
  /// Datagrams that were lost or dropped so far.
  public private(set) var lostCount = 0
  /// Until then nothing passes.
  public var deadUntil = MediaInstant.zero

  private var random: SeededRandom
  private var lineFreeTime = MediaInstant.zero
  private var lastArrival = MediaInstant.zero

  /// Makes a path; equal seeds give equal fates.
  public init(conditions: LinkConditions, seed: UInt64) {
    self.conditions = conditions
    random = SeededRandom(seed: seed)
  }

  /// When a datagram that is sent at `now` arrives: never, once or twice.
  public mutating func arrivals(byteCount: Int, now: MediaInstant) -> [MediaInstant] {
    guard now >= deadUntil, let departure = departure(byteCount: byteCount, now: now), !happens(conditions.loss) else {
      lostCount += 1
      return []
    }
    var result = [arrival(of: departure)]
    if happens(conditions.duplication) { result.append(arrival(of: departure)) }
    return result
  }

  private mutating func departure(byteCount: Int, now: MediaInstant) -> MediaInstant? {
    guard let rate = conditions.bitsPerSecond else { return now }
    let begin = max(now, lineFreeTime)
    guard begin - now <= conditions.queueLimit else { return nil }
    lineFreeTime = begin + MediaDuration(nanoseconds: Int64(byteCount) * 8 * 1_000_000_000 / Int64(rate))
    return lineFreeTime
  }

  private mutating func arrival(of departure: MediaInstant) -> MediaInstant {
    let extra =
      conditions.jitter.nanoseconds > 0 ? Int64.random(in: 0...conditions.jitter.nanoseconds, using: &random) : 0
    var time = departure + conditions.delay + MediaDuration(nanoseconds: extra)
    if !conditions.reorders { time = max(time, lastArrival) }
    lastArrival = max(time, lastArrival)
    return time
  }

  private mutating func happens(_ share: Double) -> Bool {
    share > 0 && Double.random(in: 0..<1, using: &random) < share
  }
}
