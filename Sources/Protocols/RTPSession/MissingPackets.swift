import MediaBase

/// The packets of a stream that should have come: when to ask for each (again), and when to give it up.
struct MissingPackets {
  static let capacity = 1_000
  static let maximumRequests = 10
  /// A packet is asked for once this many later ones are there: two that have merely changed places are not a loss.
  static let reorderTolerance: Int64 = 2
  /// ... or after this time, if nothing comes behind it.
  static let reorderTime = MediaDuration.milliseconds(10)
  /// The time between requests while the round trip is unknown.
  static let unknownRoundTrip = MediaDuration.milliseconds(100)

  private struct Entry {
    let index: Int64
    let noticed: MediaInstant
    var nextRequest: MediaInstant
    var firstRequest: MediaInstant?
    var requests = 0
  }

  /// Ascending.
  private var entries: [Entry] = []
  private var hasUnrequested = false
  /// Not later than anything becomes due.
  private(set) var deadline: MediaInstant?

  var isEmpty: Bool { entries.isEmpty }

  /// False if there are too many: then all are forgotten, and only a key frame helps.
  mutating func add(_ range: Range<Int64>, now: MediaInstant) -> Bool {
    guard !range.isEmpty else { return true }
    guard entries.count + range.count <= Self.capacity else {
      removeAll()
      return false
    }
    // Nearly always behind all others.
    let place = partition { $0.index >= range.lowerBound }
    let new = range.map { Entry(index: $0, noticed: now, nextRequest: now + Self.reorderTime) }
    entries.insert(contentsOf: new, at: place)
    hasUnrequested = true
    deadline = .earliest(deadline, now + Self.reorderTime)
    return true
  }

  /// What is known of a packet that was missing.
  struct Answer {
    var firstRequest: MediaInstant
    /// Asked for more than once: which request was answered is not known.
    var isAmbiguous: Bool
  }

  /// The packet has come. Returns how it was asked for, if it was.
  mutating func remove(_ index: Int64) -> Answer? {
    guard !entries.isEmpty else { return nil }
    let position = partition { $0.index >= index }
    guard position < entries.count, entries[position].index == index else { return nil }
    let entry = entries.remove(at: position)
    if entries.isEmpty { removeAll() }
    return entry.firstRequest.map { Answer(firstRequest: $0, isAmbiguous: entry.requests > 1) }
  }

  mutating func removeAll(below index: Int64) {
    guard let first = entries.first, first.index < index else { return }
    entries.removeFirst(partition { $0.index >= index })
    if entries.isEmpty { removeAll() }
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    hasUnrequested = false
    deadline = nil
  }

  /// How long to wait for a packet: four attempts, but not less than half a second and not more than one and a half. For
  /// the packets of a key frame without which nothing goes on, longer: giving up costs another key frame, no less likely
  /// to lose a packet.
  static func patience(roundTripTime: MediaDuration?, isForKeyFrame: Bool) -> MediaDuration {
    let attempts = (roundTripTime ?? unknownRoundTrip) * 5
    return isForKeyFrame
      ? min(max(.milliseconds(1_000), attempts * 2), .milliseconds(2_000))
      : min(max(.milliseconds(500), attempts), .milliseconds(1_500))
  }

  /// Appends what is to be asked for now to `lost`. Returns the highest index that is given up, if any.
  mutating func takeDue(
    highest: Int64, now: MediaInstant, roundTripTime: MediaDuration?, isForKeyFrame: Bool, into lost: inout [UInt16]
  ) -> Int64? {
    guard !entries.isEmpty, hasUnrequested || now >= deadline ?? now else { return nil }
    let patience = Self.patience(roundTripTime: roundTripTime, isForKeyFrame: isForKeyFrame)
    // A little more than the round trip, so that an answer which is only just late is not asked for twice.
    let interval = max(.milliseconds(20), (roundTripTime ?? Self.unknownRoundTrip) * 5 / 4)
    var abandoned: Int64?
    var next: MediaInstant?
    hasUnrequested = false
    for position in entries.indices {
      let entry = entries[position]
      let isExhausted = entry.requests >= Self.maximumRequests && now >= entry.nextRequest
      if isExhausted || now - entry.noticed >= patience {
        abandoned = entry.index
        continue
      }
      let isBehind = entry.requests == 0 && highest - entry.index >= Self.reorderTolerance
      if entry.requests < Self.maximumRequests, isBehind || now >= entry.nextRequest {
        lost.append(UInt16(truncatingIfNeeded: entry.index))
        entries[position].requests += 1
        if entry.requests == 0 { entries[position].firstRequest = now }
        entries[position].nextRequest = now + interval
      } else if entry.requests == 0 {
        hasUnrequested = true
      }
      next = .earliest(next, min(entries[position].nextRequest, entry.noticed + patience))
    }
    deadline = next
    if let abandoned { removeAll(below: abandoned + 1) }
    return abandoned
  }

  /// The first position whose entry satisfies `condition`, which holds for all behind it too.
  private func partition(_ condition: (Entry) -> Bool) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if condition(entries[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
