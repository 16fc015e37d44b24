import MediaBase

extension TransportFeedback {
  /// Reads the feedback at `layout`, which was made of the same `bytes`. Throws `invalidField` if it is something else or
  /// holds a status that is not defined, `truncated` if statuses or times are missing. The number of results is at most
  /// 65,535, whatever the bytes say.
  public init(parsing bytes: RawSpan, at layout: RTCPPacketLayout) throws(RTPParseError) {
    self.init(senderSSRC: 0, mediaSSRC: 0, feedbackCount: 0, results: [])
    try read(bytes, at: layout)
  }

  /// The same into the memory of `results`, which are empty if it throws.
  public mutating func read(_ bytes: RawSpan, at layout: RTCPPacketLayout) throws(RTPParseError) {
    results.removeAll(keepingCapacity: true)
    let body = layout.bodyRange
    guard body.upperBound <= bytes.byteCount, body.count >= 16 else { throw .truncated }
    guard layout.packetType == RTCPPacketLayout.PacketType.transportFeedback, layout.count == Self.format else {
      throw .invalidField
    }
    let start = body.lowerBound
    senderSSRC = bytes.uint32(at: start)
    mediaSSRC = bytes.uint32(at: start + 4)
    feedbackCount = bytes.uint8(at: start + 15)
    let count = Int(bytes.uint16(at: start + 10))
    // 24 bits with a sign.
    let reference = Int64(Int32(bitPattern: bytes.uint24(at: start + 12) &<< 8) &>> 8)
    let rest = bytes.extracting(start + 16..<body.upperBound)
    var times = Times(
      offset: try Self.chunkByteCount(rest, count: count), ticks: reference * Self.ticksPerReference,
      sequenceNumber: bytes.uint16(at: start + 8))
    results.reserveCapacity(count)
    do throws(RTPParseError) {
      try readStatuses(rest, count: count, &times)
    } catch {
      results.removeAll()
      throw error
    }
  }

  /// How far the times have been read.
  private struct Times {
    var offset: Int
    var ticks: Int64
    var sequenceNumber: UInt16
  }

  /// How many bytes the chunks take that tell of `count` packets; the times come behind them.
  private static func chunkByteCount(_ bytes: RawSpan, count: Int) throws(RTPParseError) -> Int {
    var told = 0
    var offset = 0
    while told < count {
      guard offset + 2 <= bytes.byteCount else { throw .truncated }
      let chunk = bytes.uint16(at: offset)
      offset += 2
      let length = Self.length(of: chunk)
      // A run of none says nothing and would let a packet hold any number of chunks.
      guard length > 0 else { throw .invalidField }
      told += min(length, count - told)
    }
    return offset
  }

  /// Of how many packets a chunk can tell (sections 3.1.1 to 3.1.4).
  private static func length(of chunk: UInt16) -> Int {
    chunk & 0x8000 == 0 ? Int(chunk & 0x1FFF) : chunk & 0x4000 == 0 ? 14 : 7
  }

  private mutating func readStatuses(_ bytes: RawSpan, count: Int, _ times: inout Times) throws(RTPParseError) {
    var offset = 0
    while results.count < count {
      let chunk = bytes.uint16(at: offset)
      offset += 2
      let length = min(Self.length(of: chunk), count - results.count)
      if chunk & 0x8000 == 0 {
        for _ in 0..<length { try append(chunk &>> 13 & 3, bytes, &times) }
      } else {
        let width: UInt16 = chunk & 0x4000 == 0 ? 1 : 2
        var shift = 14 &- width
        for _ in 0..<length {
          try append(chunk &>> shift & (width == 1 ? 1 : 3), bytes, &times)
          shift = shift &- width
        }
      }
    }
  }

  private mutating func append(_ symbol: UInt16, _ bytes: RawSpan, _ times: inout Times) throws(RTPParseError) {
    var arrivalTime: MediaInstant?
    switch symbol {
    case 0: break
    case 1:
      guard times.offset + 1 <= bytes.byteCount else { throw .truncated }
      times.ticks += Int64(bytes.uint8(at: times.offset))
      times.offset += 1
      arrivalTime = .zero + Self.tick * times.ticks
    case 2:
      guard times.offset + 2 <= bytes.byteCount else { throw .truncated }
      times.ticks += Int64(Int16(bitPattern: bytes.uint16(at: times.offset)))
      times.offset += 2
      arrivalTime = .zero + Self.tick * times.ticks
    default: throw .invalidField
    }
    results.append(PacketResult(sequenceNumber: times.sequenceNumber, arrivalTime: arrivalTime))
    times.sequenceNumber &+= 1
  }
}
