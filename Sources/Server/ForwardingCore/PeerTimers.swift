import MediaBase

/// When peers want to be looked at: a wheel of steps of 100 ms, so that a peer that wants nothing for seconds costs nothing
/// meanwhile, however many there are.
struct PeerTimers {
  static let step = MediaDuration.milliseconds(100)
  /// The step of a peer without an entry.
  static let never = Int64.max
  private static let slotCount: Int64 = 64
  private static let none: Int32 = -1

  /// Entries of a slot are a list. They share their memory, so that it stops growing soon.
  private struct Entry {
    var peer: Int32
    var next: Int32
  }

  private var entries: [Entry] = []
  /// The first entry of each slot, and of those that are free.
  private var slots = [Int32](repeating: none, count: Int(slotCount))
  private var free = none
  /// Which slots have entries.
  private var occupied: UInt64 = 0
  /// The first step that has not been dealt with.
  private var current: Int64 = 0

  /// The step in which `time` is dealt with: never before it.
  private static func tick(_ time: MediaInstant) -> Int64 {
    let (quotient, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: step.nanoseconds)
    return rest > 0 ? quotient + 1 : quotient
  }

  /// Notes that `peer` wants to be looked at, at `time` or later, and no later than a turn of the wheel from `now`. Returns
  /// the step, by which the peer knows its newest entry: older ones mean nothing any more. Nil, and nothing is noted, if
  /// its present entry in step `earlier` comes no later.
  mutating func add(
    _ peer: Int32, at time: MediaInstant, unlessBy earlier: Int64 = never, now: MediaInstant
  ) -> Int64? {
    if occupied == 0 { current = max(current, now.nanoseconds / Self.step.nanoseconds) }
    let tick = min(max(Self.tick(time), current &+ 1), current &+ Self.slotCount &- 1)
    if earlier <= tick { return nil }
    let slot = Int(tick % Self.slotCount)
    let entry = Entry(peer: peer, next: slots[slot])
    if free >= 0 {
      slots[slot] = free
      free = entries[Int(free)].next
      entries[Int(slots[slot])] = entry
    } else {
      slots[slot] = Int32(entries.count)
      entries.append(entry)
    }
    occupied |= 1 &<< UInt64(slot)
    return tick
  }

  /// When the next entry is due.
  var next: MediaInstant? {
    guard occupied != 0 else { return nil }
    let start = UInt64(current % Self.slotCount)
    let turned = occupied &>> start | (start == 0 ? 0 : occupied &<< (64 - start))
    return MediaInstant(nanoseconds: (current &+ Int64(turned.trailingZeroBitCount)) &* Self.step.nanoseconds)
  }

  /// Takes out an entry of the next step that is due, with its number; nil when none is.
  mutating func takeDue(now: MediaInstant) -> (tick: Int64, peer: Int32)? {
    guard let next, next <= now else { return nil }
    current = next.nanoseconds / Self.step.nanoseconds
    let slot = Int(current % Self.slotCount)
    let place = slots[slot]
    let entry = entries[Int(place)]
    slots[slot] = entry.next
    if entry.next < 0 { occupied &= ~(1 &<< UInt64(slot)) }
    entries[Int(place)].next = free
    free = place
    return (current, entry.peer)
  }

  /// Forgets all entries.
  mutating func removeAll() {
    for slot in slots.indices { slots[slot] = Self.none }
    entries.removeAll(keepingCapacity: true)
    free = Self.none
    occupied = 0
  }
}
