import MediaBase

/// The last packets of a stream, for those that the other side has missed.
struct PacketHistory {
  /// How many packets are kept: at 500 packets a second two seconds, more than any receiver waits for one.
  static let capacity = 1_024
  /// Older packets are not sent again: their pictures have been given up by then.
  static let maximumAge = MediaDuration.milliseconds(2_000)

  private struct Entry {
    var bytes: [UInt8] = []
    var sequenceNumber: UInt16 = 0
    var sentAt = MediaInstant.zero
    var resentAt: MediaInstant?
    /// Whether a copy waits to go out again.
    var isQueued = false
  }

  private var entries: [Entry] = []
  /// The packet that was recorded last, and the one that padding takes next.
  private var newest: UInt16?
  private var paddingNext: UInt16 = 0
  /// Whether nothing has been sent yet.
  var isEmpty: Bool { newest == nil }
  private static let paddingAge = MediaDuration.milliseconds(500)

  mutating func record(_ bytes: [UInt8], sequenceNumber: UInt16, now: MediaInstant) {
    if entries.isEmpty { entries = Array(repeating: Entry(), count: Self.capacity) }
    entries[Int(sequenceNumber) & (Self.capacity - 1)] = Entry(
      bytes: bytes, sequenceNumber: sequenceNumber, sentAt: now)
    newest = sequenceNumber
    paddingNext = sequenceNumber
  }

  /// A packet that was sent a moment ago, for padding: from the newest one back, each once.
  mutating func takeForPadding(now: MediaInstant) -> [UInt8]? {
    guard let newest, newest &- paddingNext < 64, !entries.isEmpty else { return nil }
    let entry = entries[Int(paddingNext) & (Self.capacity - 1)]
    guard entry.sequenceNumber == paddingNext, !entry.bytes.isEmpty, now - entry.sentAt <= Self.paddingAge else {
      return nil
    }
    paddingNext &-= 1
    return entry.bytes
  }

  /// The packet if it is still there, and did not go out again within `interval`: a second request in that time was made before
  /// the answer to the first could have come.
  mutating func take(_ sequenceNumber: UInt16, now: MediaInstant, interval: MediaDuration) -> [UInt8]? {
    guard !entries.isEmpty else { return nil }
    let position = Int(sequenceNumber) & (Self.capacity - 1)
    let entry = entries[position]
    guard entry.sequenceNumber == sequenceNumber, !entry.bytes.isEmpty, now - entry.sentAt <= Self.maximumAge else {
      return nil
    }
    if entry.isQueued { return nil }
    if let resentAt = entry.resentAt, now - resentAt < interval { return nil }
    entries[position].isQueued = true
    return entry.bytes
  }

  /// Notes that a packet that was taken has gone out.
  mutating func wentOutAgain(_ sequenceNumber: UInt16, now: MediaInstant) {
    guard !entries.isEmpty else { return }
    let position = Int(sequenceNumber) & (Self.capacity - 1)
    guard entries[position].sequenceNumber == sequenceNumber else { return }
    entries[position].isQueued = false
    entries[position].resentAt = now
  }
}
