import MediaBase

extension TransportFeedback {
  /// Reads the feedback at `layout`, which was made of the same `bytes`. Throws `invalidField` if it is something else or
  /// holds a status that is not defined, `truncated` if statuses or times are missing. The number of results is at most
  /// 65,535, whatever the bytes say.
  public init(parsing bytes: RawSpan, at layout: RTCPPacketLayout) throws(RTPParseError) {
    let body = layout.bodyRange
    guard body.upperBound <= bytes.byteCount, body.count >= 16 else { throw .truncated }
    guard layout.packetType == RTCPPacketLayout.PacketType.transportFeedback, layout.count == Self.format else {
      throw .invalidField
    }
    let start = body.lowerBound
    senderSSRC = bytes.uint32(at: start)
    mediaSSRC = bytes.uint32(at: start + 4)
    feedbackCount = bytes.uint8(at: start + 15)
    results = []
    let statusCount = Int(bytes.uint16(at: start + 10))
    // 24 bits with a sign.
    let reference = Int64(Int32(bitPattern: bytes.uint24(at: start + 12) &<< 8) &>> 8)
    let body16 = bytes.extracting(start + 16..<body.upperBound)
    let statuses = try Self.statuses(body16, count: statusCount)
    try readTimes(
      body16, at: statuses.byteCount, symbols: statuses.symbols, base: bytes.uint16(at: start + 8),
      reference: reference)
  }

  /// The symbols of all packets, and the bytes that their chunks take (sections 3.1.1 to 3.1.4).
  private static func statuses(
    _ bytes: RawSpan, count: Int
  ) throws(RTPParseError) -> (symbols: [UInt8], byteCount: Int) {
    var symbols: [UInt8] = []
    symbols.reserveCapacity(count)
    var offset = 0
    while symbols.count < count {
      guard offset + 2 <= bytes.byteCount else { throw .truncated }
      let chunk = bytes.uint16(at: offset)
      offset += 2
      if chunk & 0x8000 == 0 {
        let run = min(Int(chunk & 0x1FFF), count - symbols.count)
        // A run of none says nothing and would let a packet hold any number of chunks.
        guard run > 0 else { throw .invalidField }
        symbols.append(contentsOf: repeatElement(UInt8(truncatingIfNeeded: chunk &>> 13 & 3), count: run))
      } else {
        let width: UInt16 = chunk & 0x4000 == 0 ? 1 : 2
        var shift = 14 &- width
        for _ in 0..<min(14 / Int(width), count - symbols.count) {
          symbols.append(UInt8(truncatingIfNeeded: chunk &>> shift & (width == 1 ? 1 : 3)))
          shift = shift &- width
        }
      }
    }
    return (symbols, offset)
  }

  private mutating func readTimes(
    _ bytes: RawSpan, at start: Int, symbols: [UInt8], base: UInt16, reference: Int64
  ) throws(RTPParseError) {
    var offset = start
    var ticks = reference * Self.ticksPerReference
    var sequenceNumber = base
    results.reserveCapacity(symbols.count)
    for symbol in symbols {
      var arrivalTime: MediaInstant?
      switch symbol {
      case 0: break
      case 1:
        guard offset + 1 <= bytes.byteCount else { throw .truncated }
        ticks += Int64(bytes.uint8(at: offset))
        offset += 1
        arrivalTime = .zero + Self.tick * ticks
      case 2:
        guard offset + 2 <= bytes.byteCount else { throw .truncated }
        ticks += Int64(Int16(bitPattern: bytes.uint16(at: offset)))
        offset += 2
        arrivalTime = .zero + Self.tick * ticks
      default: throw .invalidField
      }
      results.append(PacketResult(sequenceNumber: sequenceNumber, arrivalTime: arrivalTime))
      sequenceNumber &+= 1
    }
  }
}
