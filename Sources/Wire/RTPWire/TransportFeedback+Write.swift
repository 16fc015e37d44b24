import MediaBase

extension TransportFeedback {
  /// Appends the packet. Returns how many of `results` it tells of: fewer than all when the room ends, or when two
  /// arrivals are more than 8 s apart; the rest belongs into another one. Returns 0, and appends nothing, when there is
  /// no room or nothing has come.
  @_lifetime(output: copy output)
  public func write(into output: inout OutputRawSpan) -> Int {
    let ticks = arrivalTicks()
    guard let firstArrival = ticks.lazy.compactMap(\.self).first else { return 0 }
    let reference = Self.floorDivision(firstArrival, Self.ticksPerReference)
    let deltas = Self.deltas(ticks, from: reference * Self.ticksPerReference)
    var count = min(deltas.count, 0xFFFF)
    // Rarely more than one step: chunks take little room beside the times.
    while count > 0, Self.byteCount(deltas.prefix(count)) > output.freeCapacity { count -= max(1, count / 16) }
    let written = Array(deltas.prefix(count))
    guard written.contains(where: { $0 != nil }) else { return 0 }
    let byteCount = Self.byteCount(written[...])
    RTCPFeedback.writeHeader(
      format: Self.format, type: RTCPPacketLayout.PacketType.transportFeedback, byteCount: byteCount, into: &output)
    let end = output.byteCount + byteCount - 4
    output.appendBigEndian(senderSSRC)
    output.appendBigEndian(mediaSSRC)
    output.appendBigEndian(results[0].sequenceNumber)
    output.appendBigEndian(UInt16(truncatingIfNeeded: count))
    output.appendBigEndian24(UInt32(truncatingIfNeeded: reference) & 0xFF_FFFF)
    output.append(feedbackCount)
    for chunk in Self.chunks(written.map(Self.symbol)) { output.appendBigEndian(chunk) }
    for case .some(let delta) in written {
      if (0...255).contains(delta) {
        output.append(UInt8(truncatingIfNeeded: delta))
      } else {
        output.appendBigEndian(UInt16(bitPattern: delta))
      }
    }
    while output.byteCount < end { output.append(0 as UInt8) }
    return count
  }

  /// Arrivals in steps of 250 µs.
  private func arrivalTicks() -> [Int64?] {
    results.map { result in
      result.arrivalTime.map { Self.floorDivision($0.nanoseconds, Self.tick.nanoseconds) }
    }
  }

  /// From each arrival to the one before it; ends where a step does not fit into 16 bits.
  private static func deltas(_ ticks: [Int64?], from start: Int64) -> [Int16?] {
    var deltas: [Int16?] = []
    deltas.reserveCapacity(ticks.count)
    var previous = start
    for tick in ticks {
      guard let tick else {
        deltas.append(nil)
        continue
      }
      guard let delta = Int16(exactly: tick &- previous) else { break }
      deltas.append(delta)
      previous = tick
    }
    return deltas
  }

  private static func symbol(_ delta: Int16?) -> UInt8 {
    guard let delta else { return 0 }
    return (0...255).contains(delta) ? 1 : 2
  }

  /// All bytes of a packet, with padding to a multiple of four.
  private static func byteCount(_ deltas: ArraySlice<Int16?>) -> Int {
    let symbols = deltas.map(symbol)
    return (20 + 2 * chunks(symbols).count + symbols.reduce(0) { $0 + Int($1) } + 3) / 4 * 4
  }

  /// Runs where they pay, otherwise 14 symbols of one bit or 7 of two (sections 3.1.2 to 3.1.4).
  private static func chunks(_ symbols: [UInt8]) -> [UInt16] {
    var chunks: [UInt16] = []
    var index = 0
    while index < symbols.count {
      let run = symbols[index...].prefix(0x1FFF).prefix { $0 == symbols[index] }.count
      let next14 = symbols[index...].prefix(14)
      let isNarrow = !next14.contains(2)
      if run >= (isNarrow ? 14 : 7) || run == symbols.count - index {
        chunks.append(UInt16(symbols[index]) &<< 13 | UInt16(truncatingIfNeeded: run))
        index += run
      } else {
        let part = isNarrow ? next14 : next14.prefix(7)
        var chunk: UInt16 = isNarrow ? 0x8000 : 0xC000
        var shift: UInt16 = isNarrow ? 13 : 12
        for symbol in part {
          chunk |= UInt16(symbol) &<< shift
          shift = shift &- (isNarrow ? 1 : 2)
        }
        chunks.append(chunk)
        index += part.count
      }
    }
    return chunks
  }

  private static func floorDivision(_ a: Int64, _ b: Int64) -> Int64 { a / b - (a % b < 0 ? 1 : 0) }
}
