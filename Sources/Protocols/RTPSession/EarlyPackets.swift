import MediaBase

/// Packets of streams that have not been announced yet: the announcement travels another way and may be overtaken.
struct EarlyPackets {
  static let capacity = 64
  static let maximumAge = MediaDuration.milliseconds(500)

  struct Entry {
    let ssrc: UInt32
    let bytes: [UInt8]
    let arrival: MediaInstant
  }

  private var entries: [Entry] = []

  mutating func add(_ packet: RawSpan, ssrc: UInt32, now: MediaInstant) {
    expire(now: now)
    if entries.count >= Self.capacity { entries.removeFirst() }
    entries.append(Entry(ssrc: ssrc, bytes: packet.copy(0..<packet.byteCount), arrival: now))
  }

  /// Takes out the packets of a stream and its retransmissions, in order of arrival.
  mutating func take(ssrc: UInt32, rtxSSRC: UInt32?, now: MediaInstant) -> [Entry] {
    guard !entries.isEmpty else { return [] }
    expire(now: now)
    let result = entries.filter { $0.ssrc == ssrc || $0.ssrc == rtxSSRC }
    entries.removeAll { $0.ssrc == ssrc || $0.ssrc == rtxSSRC }
    return result
  }

  mutating func expire(now: MediaInstant) {
    guard let first = entries.first, now - first.arrival > Self.maximumAge else { return }
    entries.removeAll { now - $0.arrival > Self.maximumAge }
  }

  var deadline: MediaInstant? { entries.first.map { $0.arrival + Self.maximumAge + .milliseconds(1) } }
}
