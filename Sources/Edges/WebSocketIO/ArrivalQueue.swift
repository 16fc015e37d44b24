import MediaBase

/// Connections by when they came, the oldest first.
struct ArrivalQueue {
  private var entries: [(id: UInt64, time: MediaInstant)] = []
  private var head = 0

  mutating func append(_ id: UInt64, _ time: MediaInstant) { entries.append((id, time)) }

  /// Takes out the oldest, if it came before `time`.
  mutating func popFirst(before time: MediaInstant) -> UInt64? {
    guard head < entries.count, entries[head].time < time else { return nil }
    defer {
      head += 1
      if head > 1_024, head * 2 > entries.count {
        entries.removeFirst(head)
        head = 0
      }
    }
    return entries[head].id
  }
}
