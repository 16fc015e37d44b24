/// The packet indexes of each SSRC under one key: bounded, the last hit found without a search.
///
/// The memory belongs to the table alone, so that a packet costs neither a reference count nor a look for other owners.
struct StreamTable: ~Copyable {
  private struct Entry: BitwiseCopyable {
    let ssrc: UInt32
    var window: ReplayWindow
  }

  let capacity: Int
  private(set) var count = 0
  private var entries: UnsafeMutablePointer<Entry>
  private var room = 2
  private var positions: [UInt32: Int] = [:]
  private var lastHit = 0

  init(capacity: Int) {
    self.capacity = capacity
    entries = .allocate(capacity: room)
  }

  deinit { entries.deallocate() }

  /// The index of the next packet of a stream that is sealed; recorded before it is sealed, so that the nonce counts as
  /// used whatever happens. Nil if `sequenceNumber` has been used before.
  @inline(__always)
  mutating func take(_ sequenceNumber: UInt16, of ssrc: UInt32) -> UInt64? {
    if lastHit < count, entries[lastHit].ssrc == ssrc, let index = entries[lastHit].window.takeNext(sequenceNumber) {
      return index
    }
    return takeAny(sequenceNumber, of: ssrc)
  }

  @inline(never)
  private mutating func takeAny(_ sequenceNumber: UInt16, of ssrc: UInt32) -> UInt64? {
    let position = find(ssrc)
    guard let index = try? freshIndex(sequenceNumber: sequenceNumber, at: position, otherwise: .sequenceNumberReused)
    else { return nil }
    record(index, ssrc: ssrc, at: position)
    return index
  }

  /// The position of `ssrc`, or nil if it has no entry yet; good until the next `record` or `remove`.
  mutating func find(_ ssrc: UInt32) -> Int? {
    if lastHit < count, entries[lastHit].ssrc == ssrc { return lastHit }
    guard let position = positions[ssrc] else { return nil }
    lastHit = position
    return position
  }

  mutating func remove(_ ssrc: UInt32) {
    guard let position = positions.removeValue(forKey: ssrc) else { return }
    count -= 1
    guard position < count else { return }
    entries[position] = entries[count]
    positions[entries[position].ssrc] = position
  }

  /// The 48-bit index of a packet with this number, which was not recorded before. Where there is no entry, one could be
  /// made.
  ///
  /// - Parameter position: what `find` gave for the packet's SSRC.
  func freshIndex(
    sequenceNumber: UInt16, at position: Int?, otherwise error: SRTPError
  ) throws(SRTPError) -> UInt64 {
    let highest = position.flatMap { entries[$0].window.highestIndex }
    guard let index = Self.estimateIndex(sequenceNumber: sequenceNumber, highest: highest) else { throw error }
    guard index >> 48 == 0 else { throw .keyExhausted }
    try check(index, at: position, otherwise: error)
    return index
  }

  /// Whether `index` is new. Where there is no entry, whether one could be made.
  func check(_ index: UInt64, at position: Int?, otherwise error: SRTPError) throws(SRTPError) {
    if let position {
      guard entries[position].window.isFresh(index) else { throw error }
    } else if count >= capacity {
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
      if count == room { grow() }
      positions[ssrc] = count
      (entries + count).initialize(to: Entry(ssrc: ssrc, window: window))
      count += 1
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: room * 2)
    larger.initialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    room *= 2
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
