import MediaBase

/// When peers want to be looked at: a wheel of steps of 100 ms, so that a peer that wants nothing for seconds costs nothing
/// meanwhile, however many there are.
struct PeerTimers {
  static let step = MediaDuration.milliseconds(100)
  private static let slotCount: Int64 = 64

  private var slots = [[Int32]](repeating: [], count: Int(slotCount))
  /// Which slots have entries.
  private var occupied: UInt64 = 0
  /// The first step that has not been dealt with.
  private var current: Int64 = 0
  private var entryCount = 0

  /// The step in which `time` is dealt with: never before it.
  private static func tick(_ time: MediaInstant) -> Int64 {
    let (quotient, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: step.nanoseconds)
    return rest > 0 ? quotient + 1 : quotient
  }

  /// Notes that `peer` wants to be looked at, at `time` or later, and no later than a turn of the wheel from `now`. Returns
  /// the step, by which the peer knows its newest entry: older ones mean nothing any more.
  mutating func add(_ peer: Int32, at time: MediaInstant, now: MediaInstant) -> Int64 {
    if entryCount == 0 { current = max(current, now.nanoseconds / Self.step.nanoseconds) }
    let tick = min(max(Self.tick(time), current &+ 1), current &+ Self.slotCount &- 1)
    slots[Int(tick % Self.slotCount)].append(peer)
    occupied |= 1 &<< UInt64(tick % Self.slotCount)
    entryCount += 1
    return tick
  }

  /// When the next entry is due.
  var next: MediaInstant? {
    guard occupied != 0 else { return nil }
    let start = UInt64(current % Self.slotCount)
    let turned = occupied &>> start | (start == 0 ? 0 : occupied &<< (64 - start))
    return MediaInstant(nanoseconds: (current &+ Int64(turned.trailingZeroBitCount)) &* Self.step.nanoseconds)
  }

  /// Takes the entries of the next step that is due, with its number; nil when none is. Give `entries` back by `recycle`.
  mutating func takeDue(now: MediaInstant) -> (tick: Int64, entries: [Int32])? {
    guard let next, next <= now else { return nil }
    let tick = next.nanoseconds / Self.step.nanoseconds
    current = tick
    let slot = Int(tick % Self.slotCount)
    var entries: [Int32] = []
    swap(&entries, &slots[slot])
    occupied &= ~(1 &<< UInt64(slot))
    entryCount -= entries.count
    return (tick, entries)
  }

  /// Forgets all entries.
  mutating func removeAll() {
    for slot in slots.indices { slots[slot].removeAll(keepingCapacity: true) }
    occupied = 0
    entryCount = 0
  }

  /// Takes back the memory of entries that have been dealt with.
  mutating func recycle(_ entries: consuming [Int32], of tick: Int64) {
    let slot = Int(tick % Self.slotCount)
    guard slots[slot].isEmpty else { return }
    slots[slot] = entries
    slots[slot].removeAll(keepingCapacity: true)
  }
}
