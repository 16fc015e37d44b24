import MediaBase
import RTPSession

/// One direction of a network: loses, delays, reorders and duplicates by a seed.
struct SimulatedLink {
  var loss = 0.0
  var duplication = 0.0
  var delay = MediaDuration.milliseconds(10)
  /// Packets take up to this much longer, each by its own: more than their distance means reordering.
  var jitter = MediaDuration.zero
  var random: SeededRandom
  private(set) var carried = 0
  private var packets: [(time: MediaInstant, order: Int, kind: RTPTransmitKind, bytes: [UInt8])] = []

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func put(_ bytes: [UInt8], _ kind: RTPTransmitKind, now: MediaInstant) {
    carried += 1
    if Double.random(in: 0..<1, using: &random) < loss { return }
    let copies = Double.random(in: 0..<1, using: &random) < duplication ? 2 : 1
    for _ in 0..<copies {
      let extra = jitter == .zero ? 0 : Int64.random(in: 0...jitter.nanoseconds, using: &random)
      packets.append((now + delay + MediaDuration(nanoseconds: extra), carried, kind, bytes))
    }
  }

  var nextTime: MediaInstant? { packets.min { $0.time < $1.time }?.time }

  /// What has arrived at `now`, in order of arrival.
  mutating func take(now: MediaInstant) -> [(kind: RTPTransmitKind, bytes: [UInt8])] {
    let arrived = packets.filter { $0.time <= now }.sorted { ($0.time, $0.order) < ($1.time, $1.order) }
    packets.removeAll { $0.time <= now }
    return arrived.map { ($0.kind, $0.bytes) }
  }
}
