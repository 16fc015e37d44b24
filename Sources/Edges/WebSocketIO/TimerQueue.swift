import MediaBase

/// What is to be done when, the earliest first; of the same time what was put in first. A binary heap.
struct TimerQueue {
  private struct Entry {
    var time: MediaInstant
    var number: UInt64
    var body: @Sendable () -> Void

    func isBefore(_ other: Entry) -> Bool { time == other.time ? number < other.number : time < other.time }
  }

  private var entries: [Entry] = []
  private var count: UInt64 = 0

  /// When something is due first.
  var firstTime: MediaInstant? { entries.first?.time }

  mutating func insert(_ time: MediaInstant, _ body: @escaping @Sendable () -> Void) {
    count += 1
    entries.append(Entry(time: time, number: count, body: body))
    var index = entries.count - 1
    while index > 0, case let parent = (index - 1) / 2, entries[index].isBefore(entries[parent]) {
      entries.swapAt(index, parent)
      index = parent
    }
  }

  /// Takes out what is due first, if it is by `now`.
  mutating func popFirst(dueAt now: MediaInstant) -> (@Sendable () -> Void)? {
    guard let first = entries.first, first.time <= now else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && entries[child].isBefore(entries[least]) { least = child }
      guard least != index else { break }
      entries.swapAt(index, least)
      index = least
    }
    return first.body
  }
}
