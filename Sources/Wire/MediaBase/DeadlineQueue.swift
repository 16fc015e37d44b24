/// When something is due for each of many keys, the earliest first: a heap that knows where each key is, so that every
/// change costs the same however many there are, and nothing is left of what was changed. Of equal times the one that was
/// set first comes first.
public struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var time: MediaInstant
    var number: UInt64
    var key: Key

    func isBefore(_ other: Entry) -> Bool { time == other.time ? number < other.number : time < other.time }
  }

  private var entries: [Entry] = []
  private var places: [Key: Int] = [:]
  private var setCount: UInt64 = 0

  /// Makes an empty queue.
  public init() {}

  /// Keys with a deadline.
  public var count: Int { entries.count }

  /// The earliest deadline.
  public var nextTime: MediaInstant? { entries.first?.time }

  /// The deadline of `key`.
  public subscript(key: Key) -> MediaInstant? { places[key].map { entries[$0].time } }

  /// Sets the deadline of `key` in place of an earlier one; `nil` for none.
  public mutating func set(_ key: Key, _ time: MediaInstant?) {
    guard let time else { return remove(key) }
    setCount &+= 1
    let entry = Entry(time: time, number: setCount, key: key)
    if let place = places[key] {
      entries[place] = entry
      settle(place)
    } else {
      entries.append(entry)
      places[key] = entries.count - 1
      rise(entries.count - 1)
    }
  }

  /// Sets the deadline of `key` unless it has one that is not later.
  public mutating func setIfEarlier(_ key: Key, _ time: MediaInstant) {
    if let known = self[key], known <= time { return }
    set(key, time)
  }

  /// Takes the key out whose deadline is the earliest, if that has come.
  public mutating func popFirst(dueAt now: MediaInstant) -> Key? {
    guard let first = entries.first, first.time <= now else { return nil }
    remove(first.key)
    return first.key
  }

  private mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key), let last = entries.popLast() else { return }
    guard place < entries.count else { return }
    entries[place] = last
    places[last.key] = place
    settle(place)
  }

  private mutating func settle(_ place: Int) { sink(rise(place)) }

  @discardableResult
  private mutating func rise(_ start: Int) -> Int {
    var place = start
    while place > 0, case let parent = (place - 1) / 2, entries[place].isBefore(entries[parent]) {
      swap(place, parent)
      place = parent
    }
    return place
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in 2 * place + 1...2 * place + 2
      where child < entries.count && entries[child].isBefore(entries[least]) { least = child }
      guard least != place else { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    entries.swapAt(one, other)
    places[entries[one].key] = one
    places[entries[other].key] = other
  }
}
