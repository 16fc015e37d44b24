/// The packet indexes of each SSRC under one key: bounded, the last hit found without a search.
struct StreamTable {
  private struct Entry {
    let ssrc: UInt32
    var window: ReplayWindow
  }

  let capacity: Int
  private var entries: [Entry] = []
  private var positions: [UInt32: Int] = [:]
  private var lastHit = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { entries.count }

  /// The position of `ssrc`, or nil if it has no entry yet; good until the next `record` or `remove`.
  mutating func find(_ ssrc: UInt32) -> Int? {
    if lastHit < entries.count, entries[lastHit].ssrc == ssrc { return lastHit }
    guard let position = positions[ssrc] else { return nil }
    lastHit = position
    return position
  }

  mutating func remove(_ ssrc: UInt32) {
    guard let position = positions.removeValue(forKey: ssrc), let last = entries.popLast() else { return }
    guard position < entries.count else { return }
    entries[position] = last
    positions[last.ssrc] = position
  }

  /// The highest index seen at a position that `find` gave.
  func highestIndex(at position: Int?) -> UInt64? {
    guard let position else { return nil }
    return entries[position].window.highestIndex
  }

  /// Whether `index` is new. Where there is no entry, whether one could be made.
  func check(_ index: UInt64, at position: Int?, otherwise error: SRTPError) throws(SRTPError) {
    if let position {
      guard entries[position].window.isFresh(index) else { throw error }
    } else if entries.count >= capacity {
      throw .tooManyStreams
    }
  }

  /// Records an index that `check` let through; makes the entry if there is none.
  mutating func record(_ index: UInt64, ssrc: UInt32, at position: Int?) {
    if let position {
      entries[position].window.record(index)
    } else {
      var window = ReplayWindow()
      window.record(index)
      positions[ssrc] = entries.count
      entries.append(Entry(ssrc: ssrc, window: window))
    }
  }

  /// The 48-bit index (rollover counter and sequence number) nearest to the highest seen (RFC 3711 section 3.3.1).
  /// Nil if it would come before the first rollover; may be 2^48 or more, where the key has come to its end.
  static func estimateIndex(sequenceNumber: UInt16, highest: UInt64?) -> UInt64? {
    guard let highest else { return UInt64(sequenceNumber) }
    let highestSequence = UInt16(truncatingIfNeeded: highest)
    let distance = Int64(Int16(bitPattern: sequenceNumber &- highestSequence))
    let index = Int64(bitPattern: highest) &+ distance
    return index < 0 ? nil : UInt64(index)
  }
}
