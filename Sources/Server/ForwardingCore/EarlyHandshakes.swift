import MediaBase

/// First messages of DTLS handshakes that came before the connectivity check that proves their address: packets overtake one
/// another, and without them the client would wait for its own repetition. Few are kept, shortly, and never more for newer
/// ones, so that strangers gain nothing.
struct EarlyHandshakes {
  private struct Entry {
    var source: TransportAddress
    var time: MediaInstant
    var datagrams: [[UInt8]]
  }

  private static let maximumSources = 16
  /// A first message with large keys comes in that many at most.
  private static let maximumDatagrams = 3
  private static let maximumByteCount = 1_500
  private static let lifetime = MediaDuration.milliseconds(1_000)
  /// Where the kind of a handshake message stands behind a record's header (RFC 6347 section 4.1), and that of the first.
  private static let kindOffset = 13
  private static let clientHello: UInt8 = 1
  private static let handshakeRecord: UInt8 = 22

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Keeps a datagram from an address that is nobody's yet, if it may be a handshake's first.
  mutating func keep(_ datagram: UnsafeRawBufferPointer, from source: TransportAddress, now: MediaInstant) {
    guard datagram.count > Self.kindOffset, datagram.count <= Self.maximumByteCount,
      datagram[0] == Self.handshakeRecord, datagram[Self.kindOffset] == Self.clientHello
    else { return }
    // The oldest stands first.
    while let first = entries.first, now - first.time > Self.lifetime { entries.removeFirst() }
    if let position = entries.firstIndex(where: { $0.source == source }) {
      guard entries[position].datagrams.count < Self.maximumDatagrams else { return }
      entries[position].datagrams.append(Array(datagram))
    } else if entries.count < Self.maximumSources {
      entries.append(Entry(source: source, time: now, datagrams: [Array(datagram)]))
    }
  }

  /// What came from an address whose owner is known now.
  mutating func take(from source: TransportAddress, now: MediaInstant) -> [[UInt8]] {
    guard let position = entries.firstIndex(where: { $0.source == source }) else { return [] }
    let entry = entries.remove(at: position)
    return now - entry.time > Self.lifetime ? [] : entry.datagrams
  }
}
