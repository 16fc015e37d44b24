import MediaBase

/// When streams want something of their publishers: a heap, so that each costs the same however many there are.
///
/// A stream knows the time of its newest entry; others of it mean nothing any more and are passed over when they come up.
struct StreamTimers {
  struct Entry {
    var time: MediaInstant
    var stream: Int32
  }

  private var entries: [Entry] = []

  mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

  /// When the first entry comes up; not after the first moment at which a stream wants something.
  var next: MediaInstant? { entries.first?.time }

  mutating func add(_ stream: Int32, at time: MediaInstant) {
    var place = entries.count
    entries.append(Entry(time: time, stream: stream))
    while place > 0 {
      let parent = (place - 1) / 2
      guard entries[place].time < entries[parent].time else { return }
      entries.swapAt(place, parent)
      place = parent
    }
  }

  /// Forgets a stream that goes.
  mutating func remove(_ stream: Int32) {
    guard entries.contains(where: { $0.stream == stream }) else { return }
    let others = entries.filter { $0.stream != stream }
    entries.removeAll(keepingCapacity: true)
    for entry in others { add(entry.stream, at: entry.time) }
  }

  /// Takes the first entry out if it has come up.
  mutating func takeDue(now: MediaInstant) -> Entry? {
    guard let first = entries.first, first.time <= now, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return first }
    entries[0] = last
    var place = 0
    while true {
      let (left, right) = (2 * place + 1, 2 * place + 2)
      var least = place
      if left < entries.count, entries[left].time < entries[least].time { least = left }
      if right < entries.count, entries[right].time < entries[least].time { least = right }
      guard least != place else { return first }
      entries.swapAt(place, least)
      place = least
    }
  }
}
