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
  }

  private var entries: [Entry] = []

  mutating func record(_ bytes: [UInt8], sequenceNumber: UInt16, now: MediaInstant) {
    if entries.isEmpty { entries = Array(repeating: Entry(), count: Self.capacity) }
    entries[Int(sequenceNumber) & (Self.capacity - 1)] = Entry(
      bytes: bytes, sequenceNumber: sequenceNumber, sentAt: now)
  }

  /// The packet if it is still there, and was not taken within `interval`: a second request in that time was made before
  /// the answer to the first could have come.
  mutating func take(_ sequenceNumber: UInt16, now: MediaInstant, interval: MediaDuration) -> [UInt8]? {
    guard !entries.isEmpty else { return nil }
    let position = Int(sequenceNumber) & (Self.capacity - 1)
    let entry = entries[position]
    guard entry.sequenceNumber == sequenceNumber, !entry.bytes.isEmpty, now - entry.sentAt <= Self.maximumAge else {
      return nil
    }
    if let resentAt = entry.resentAt, now - resentAt < interval { return nil }
    entries[position].resentAt = now
    return entry.bytes
  }
}
