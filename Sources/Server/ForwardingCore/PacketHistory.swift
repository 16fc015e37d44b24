/// The last packets of a stream, decrypted: a ring by sequence number, and the order in which they came.
///
/// The memory is taken when the first packet comes, since many users never publish.
struct PacketHistory: ~Copyable {
  /// Longest payload that is kept; with headers and tag it still fits a path of 1,472 bytes.
  static let maximumPayloadLength = 1_400
  /// Room before each payload, for the original sequence number of a retransmission (RFC 4588 section 4).
  static let headroom = 16
  private static let placeSize = 1_536

  /// Packets kept; a power of two.
  let capacity: Int
  private var payloads: UnsafeMutableRawPointer?
  private var records: UnsafeMutablePointer<PacketRecord>?
  private var order: UnsafeMutablePointer<UInt16>?

  /// - Parameter capacity: a power of two, at most 65,536.
  init(capacity: Int) { self.capacity = capacity }

  deinit {
    payloads?.deallocate()
    records?.deallocate()
    order?.deallocate()
  }

  private func place(_ index: Int64) -> Int { Int(truncatingIfNeeded: index) & (capacity - 1) }

  /// The record of packet `index`, if it is kept.
  func record(of index: Int64) -> PacketRecord? {
    guard let records, index >= 0 else { return nil }
    let record = records[place(index)]
    return record.index == index ? record : nil
  }

  /// The record of the packet that came as number `arrival`, if it is kept.
  func record(arrivedAs arrival: UInt64) -> PacketRecord? {
    guard let records, let order else { return nil }
    let record = records[Int(order[Int(truncatingIfNeeded: arrival) & (capacity - 1)])]
    return record.index >= 0 && record.arrival == arrival ? record : nil
  }

  /// Record and payload of the packet that came as number `arrival`, where they lie, if it is kept.
  @inline(__always)
  mutating func packet(
    arrivedAs arrival: UInt64
  ) -> (record: UnsafePointer<PacketRecord>, payload: UnsafeMutableRawPointer)? {
    guard let records, let order, let payloads else { return nil }
    let place = Int(order[Int(truncatingIfNeeded: arrival) & (capacity - 1)])
    guard records[place].arrival == arrival, records[place].index >= 0 else { return nil }
    return (UnsafePointer(records + place), payloads + (place &* Self.placeSize &+ Self.headroom))
  }

  /// Keeps a packet, in place of the one `capacity` numbers before it. The caller has checked the payload's length.
  ///
  /// - Parameter wideningPictureID: of a VP8 payload with a picture id of 7 bits, what stands in its place with 15; the
  ///   payload becomes one byte longer.
  mutating func store(_ record: PacketRecord, payload: RawSpan, wideningPictureID: UInt16? = nil) {
    if records == nil { takeMemory() }
    guard let records, let order, let payloads, payload.byteCount <= Self.maximumPayloadLength else { return }
    let place = place(record.index)
    records[place] = record
    order[Int(truncatingIfNeeded: record.arrival) & (capacity - 1)] = UInt16(truncatingIfNeeded: place)
    let target = payloads + (place * Self.placeSize + Self.headroom)
    payload.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      guard let pictureID = wideningPictureID, source.count >= 3 else {
        return target.copyMemory(from: base, byteCount: source.count)
      }
      target.copyMemory(from: base, byteCount: 2)
      target.storeBytes(of: (pictureID | 0x8000).bigEndian, toByteOffset: 2, as: UInt16.self)
      (target + 4).copyMemory(from: base + 3, byteCount: source.count - 3)
    }
  }

  /// Where the payload of a kept packet lies; `headroom` bytes before it may be written.
  mutating func payload(of record: PacketRecord) -> UnsafeMutableRawPointer? {
    payloads.map { $0 + (place(record.index) * Self.placeSize + Self.headroom) }
  }

  /// Where the capture time of a kept packet lies; `nil` if it has none.
  func captureTime(of record: PacketRecord) -> UnsafeRawPointer? {
    guard record.captureTimeByteCount > 0, let payloads else { return nil }
    return UnsafeRawPointer(payloads + captureTimeOffset(place(record.index)))
  }

  private func captureTimeOffset(_ place: Int) -> Int {
    place * Self.placeSize + Self.headroom + Self.maximumPayloadLength
  }

  /// Keeps what the packet that came as number `arrival` says beside its payload.
  mutating func attach(_ extras: PacketExtras, toArrival arrival: UInt64) {
    guard let record = record(arrivedAs: arrival), let records, let payloads else { return }
    let place = place(record.index)
    records[place].orientation = extras.orientation
    records[place].captureTimeByteCount = extras.captureTimeByteCount
    guard extras.captureTimeByteCount > 0 else { return }
    let target = payloads + captureTimeOffset(place)
    target.storeBytes(of: extras.captureTime.0, as: UInt64.self)
    target.storeBytes(of: extras.captureTime.1, toByteOffset: 8, as: UInt64.self)
  }

  private mutating func takeMemory() {
    payloads = .allocate(byteCount: capacity * Self.placeSize, alignment: 64)
    let newRecords = UnsafeMutablePointer<PacketRecord>.allocate(capacity: capacity)
    newRecords.initialize(repeating: PacketRecord(), count: capacity)
    records = newRecords
    let newOrder = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
    newOrder.initialize(repeating: 0, count: capacity)
    order = newOrder
  }
}
