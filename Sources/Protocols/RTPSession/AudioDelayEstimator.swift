import MediaBase

/// How unevenly packets arrive, from the last five seconds of them.
///
/// The transit time of a packet (arrival minus timestamp, on clocks that have nothing to do with each other) matters only
/// in comparison: the shortest of the window is the base, and the target is what all but the slowest packets need on top
/// of it. Base and target come from the same window, so that a lasting change of the way moves the base and is then
/// forgotten, and clocks that drift apart move it slowly.
struct AudioDelayEstimator: Sendable {
  private static let capacity = 256
  /// The share of packets that the target is to be enough for, in 1/1,024.
  private static let quantile = 1_004
  /// Below so many packets the target is at least `cautious`.
  private static let fewPackets = 50
  private static let cautious: Int64 = 1_440
  /// Pulls come in steps; a packet in time for one step may be late for the next.
  private static let step: Int64 = 480
  private static let longestLead: Int64 = 24_000
  private static let minimum = AudioJitterBuffer.minimumDelay.milliseconds * 48
  private static let maximum = AudioJitterBuffer.maximumDelay.milliseconds * 48

  /// In samples; a ring.
  private var transits: [Int64] = []
  private var position = 0
  private var untilUpdate = 0
  /// The shortest transit of the window.
  private(set) var base: Int64 = 0
  /// Delay on top of the base to play at, in samples.
  private(set) var target = cautious
  private var lowest = minimum

  static func duration(_ samples: Int64) -> MediaDuration { MediaDuration(nanoseconds: samples &* 62_500 / 3) }

  /// Samples at 48 kHz since the clock's origin; enough bits for six thousand years.
  static func samples(_ instant: MediaInstant) -> Int64 {
    let seconds = instant.nanoseconds / 1_000_000_000
    return seconds &* 48_000 &+ instant.nanoseconds % 1_000_000_000 &* 48_000 / 1_000_000_000
  }

  /// The target is not less than so many samples, within the usual limits.
  mutating func setMinimum(_ samples: Int64) {
    lowest = min(max(samples, Self.minimum), Self.maximum)
    target = max(target, lowest)
    untilUpdate = 0
  }

  mutating func add(timestamp: Int64, arrival: MediaInstant) {
    let transit = Self.samples(arrival) &- timestamp
    // No packet can be that much faster than all others: the sender's clock has jumped.
    if !transits.isEmpty, transit < base &- Self.longestLead {
      transits.removeAll(keepingCapacity: true)
      position = 0
      untilUpdate = 0
    }
    if transits.count < Self.capacity {
      transits.append(transit)
    } else {
      transits[position] = transit
      position = (position + 1) % Self.capacity
    }
    untilUpdate -= 1
    // Sorting costs some microseconds: every tenth packet, or when the packet says something new.
    if untilUpdate <= 0 || transit < base || transit > base &+ target { update() }
  }

  private mutating func update() {
    untilUpdate = transits.count < Self.fewPackets ? 1 : 10
    let sorted = transits.sorted()
    guard let first = sorted.first else { return }
    base = first
    let needed = sorted[(sorted.count - 1) * Self.quantile / 1_024] &- first &+ Self.step
    let lowest = max(lowest, transits.count < Self.fewPackets ? Self.cautious : Self.minimum)
    target = min(max(needed, lowest), Self.maximum)
  }
}
