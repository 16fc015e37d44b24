import MediaBase

/// Which packets of a stream are missing, and when to ask the publisher for them.
struct LossTracker {
  private struct Missing {
    var index: Int64
    var nextRequest: MediaInstant
    var lastRequest: MediaInstant
    var tries = 0
  }

  /// More than these are not worth asking for: a key frame is better.
  static let maximumCount = 256
  private static let maximumTries = 10

  /// Rising by index.
  private var missing: [Missing] = []
  /// Time from asking to getting, smoothed.
  private(set) var roundTripTime = MediaDuration.milliseconds(100)

  var isEmpty: Bool { missing.isEmpty }

  /// Notes that the packets of `range` were skipped; false if they are too many, and then none are asked for.
  mutating func skipped(_ range: Range<Int64>, askAt time: MediaInstant) -> Bool {
    guard range.count + missing.count <= Self.maximumCount else {
      missing.removeAll(keepingCapacity: true)
      return false
    }
    // Nearly always behind all others.
    var place = missing.count
    while place > 0, missing[place - 1].index >= range.upperBound { place -= 1 }
    for index in range {
      missing.insert(Missing(index: index, nextRequest: time, lastRequest: time), at: place)
      place += 1
    }
    return true
  }

  /// Notes that a packet behind the newest one has come; true if it had been asked for.
  mutating func arrived(_ index: Int64, now: MediaInstant) -> Bool {
    guard let position = missing.firstIndex(where: { $0.index == index }) else { return false }
    let entry = missing.remove(at: position)
    if entry.tries == 1 {
      let sample = min(max(now - entry.lastRequest, .milliseconds(5)), .milliseconds(500))
      roundTripTime = (roundTripTime * 7 + sample) / 8
    }
    return entry.tries > 0
  }

  /// Gives up on packets before `index`.
  mutating func forget(before index: Int64) {
    guard let first = missing.first, first.index < index else { return }
    missing.removeAll { $0.index < index }
  }

  mutating func removeAll() { missing.removeAll(keepingCapacity: true) }

  /// When the next request is due. Entries are few; this goes over them.
  var deadline: MediaInstant? {
    var earliest: MediaInstant?
    for entry in missing { earliest = MediaInstant.earliest(earliest, entry.nextRequest) }
    return earliest
  }

  /// Appends the sequence numbers to ask for at `now` to `numbers`, at most `limit`, and gives up on those asked for too
  /// often.
  mutating func takeDue(now: MediaInstant, limit: Int, into numbers: inout [UInt16]) {
    missing.removeAll { $0.tries >= Self.maximumTries && $0.nextRequest <= now }
    for position in missing.indices where missing[position].nextRequest <= now {
      guard numbers.count < limit else { return }
      numbers.append(UInt16(truncatingIfNeeded: missing[position].index))
      missing[position].tries += 1
      missing[position].lastRequest = now
      missing[position].nextRequest = now + max(roundTripTime + .milliseconds(10), .milliseconds(20))
    }
  }
}
