import MediaBase

extension TransportFeedback {
  /// Memory that writing needs, kept from one time to the next.
  public struct Scratch: Sendable {
    /// 0 for a packet that has not come, else how many bytes its time takes.
    fileprivate var symbols: [UInt8] = []
    /// From each arrival to the one before it, in steps of 250 µs; 0 for packets that have not come.
    fileprivate var deltas: [Int16] = []

    /// Takes no memory yet.
    public init() {}
  }

  /// Appends the packet. Returns how many of `results` it tells of: fewer than all when the room ends, or when two
  /// arrivals are more than 8 s apart; the rest belongs into another one. Returns 0, and appends nothing, when there is
  /// no room or nothing has come.
  @_lifetime(output: copy output)
  public func write(into output: inout OutputRawSpan) -> Int {
    var scratch = Scratch()
    return write(into: &output, using: &scratch)
  }

  /// The same, without allocation once `scratch` has grown.
  @_lifetime(output: copy output)
  public func write(into output: inout OutputRawSpan, using scratch: inout Scratch) -> Int {
    guard let first = results.first(where: { $0.arrivalTime != nil })?.arrivalTime else { return 0 }
    let reference = Self.floorDivision(Self.ticks(first), Self.ticksPerReference)
    fill(&scratch, from: reference * Self.ticksPerReference)
    var count = min(scratch.symbols.count, 0xFFFF)
    // Rarely more than one step: chunks take little room beside the times.
    while count > 0, Self.byteCount(scratch.symbols[..<count]) > output.freeCapacity { count -= max(1, count / 16) }
    let symbols = scratch.symbols[..<count]
    guard symbols.contains(where: { $0 != 0 }) else { return 0 }
    let byteCount = Self.byteCount(symbols)
    RTCPFeedback.writeHeader(
      format: Self.format, type: RTCPPacketLayout.PacketType.transportFeedback, byteCount: byteCount, into: &output)
    let end = output.byteCount + byteCount - 4
    output.appendBigEndian(senderSSRC)
    output.appendBigEndian(mediaSSRC)
    output.appendBigEndian(results[0].sequenceNumber)
    output.appendBigEndian(UInt16(truncatingIfNeeded: count))
    output.appendBigEndian24(UInt32(truncatingIfNeeded: reference) & 0xFF_FFFF)
    output.append(feedbackCount)
    var index = 0
    while index < count { output.appendBigEndian(Self.chunk(of: symbols, at: &index)) }
    for place in 0..<count {
      switch symbols[place] {
      case 0: break
      case 1: output.append(UInt8(truncatingIfNeeded: scratch.deltas[place]))
      default: output.appendBigEndian(UInt16(bitPattern: scratch.deltas[place]))
      }
    }
    while output.byteCount < end { output.append(0 as UInt8) }
    return count
  }

  private static func ticks(_ arrival: MediaInstant) -> Int64 { floorDivision(arrival.nanoseconds, tick.nanoseconds) }

  /// Ends where a step does not fit into 16 bits.
  private func fill(_ scratch: inout Scratch, from start: Int64) {
    scratch.symbols.removeAll(keepingCapacity: true)
    scratch.deltas.removeAll(keepingCapacity: true)
    var previous = start
    for result in results {
      guard let arrival = result.arrivalTime else {
        scratch.symbols.append(0)
        scratch.deltas.append(0)
        continue
      }
      let tick = Self.ticks(arrival)
      guard let delta = Int16(exactly: tick &- previous) else { return }
      scratch.symbols.append((0...255).contains(delta) ? 1 : 2)
      scratch.deltas.append(delta)
      previous = tick
    }
  }

  /// All bytes of a packet, with padding to a multiple of four.
  private static func byteCount(_ symbols: ArraySlice<UInt8>) -> Int {
    var chunkCount = 0
    var index = 0
    while index < symbols.count {
      _ = chunk(of: symbols, at: &index)
      chunkCount += 1
    }
    return (20 + 2 * chunkCount + symbols.reduce(0) { $0 + Int($1) } + 3) / 4 * 4
  }

  /// The chunk that tells of the symbols from `index` on, which moves past them: runs where they pay, otherwise 14 symbols
  /// of one bit or 7 of two (sections 3.1.2 to 3.1.4).
  private static func chunk(of symbols: ArraySlice<UInt8>, at index: inout Int) -> UInt16 {
    let first = symbols[index]
    var run = 1
    while run < 0x1FFF, index + run < symbols.count, symbols[index + run] == first { run += 1 }
    let next14 = symbols[index...].prefix(14)
    let isNarrow = !next14.contains(2)
    if run >= (isNarrow ? 14 : 7) || run == symbols.count - index {
      index += run
      return UInt16(first) &<< 13 | UInt16(truncatingIfNeeded: run)
    }
    let part = isNarrow ? next14 : next14.prefix(7)
    var chunk: UInt16 = isNarrow ? 0x8000 : 0xC000
    var shift: UInt16 = isNarrow ? 13 : 12
    for symbol in part {
      chunk |= UInt16(symbol) &<< shift
      shift = shift &- (isNarrow ? 1 : 2)
    }
    index += part.count
    return chunk
  }

  private static func floorDivision(_ a: Int64, _ b: Int64) -> Int64 { a / b - (a % b < 0 ? 1 : 0) }
}
