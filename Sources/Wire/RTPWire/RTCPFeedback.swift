import MediaBase

/// Feedback packets of RFC 4585 and RFC 5104, written whole and read from an `RTCPPacketLayout`.
public enum RTCPFeedback {
  /// Appends a picture loss indication (RFC 4585 section 6.3.1), 12 bytes; false without room.
  @_lifetime(output: copy output)
  public static func writePictureLossIndication(
    senderSSRC: UInt32, mediaSSRC: UInt32, into output: inout OutputRawSpan
  ) -> Bool {
    guard output.freeCapacity >= 12 else { return false }
    writeHeader(format: 1, type: RTCPPacketLayout.PacketType.payloadFeedback, byteCount: 12, into: &output)
    output.appendBigEndian(senderSSRC)
    output.appendBigEndian(mediaSSRC)
    return true
  }

  /// Appends a full intra request for one stream (RFC 5104 section 4.3.1), 20 bytes; false without room.
  @_lifetime(output: copy output)
  public static func writeFullIntraRequest(
    senderSSRC: UInt32, targetSSRC: UInt32, sequenceNumber: UInt8, into output: inout OutputRawSpan
  ) -> Bool {
    guard output.freeCapacity >= 20 else { return false }
    writeHeader(format: 4, type: RTCPPacketLayout.PacketType.payloadFeedback, byteCount: 20, into: &output)
    output.appendBigEndian(senderSSRC)
    output.appendBigEndian(0 as UInt32)  // section 4.3.1.2: the media source is unused
    output.appendBigEndian(targetSSRC)
    output.append(sequenceNumber)
    output.appendBigEndian24(0)
    return true
  }

  /// Appends a generic NACK (RFC 4585 section 6.2.1) for `lost`, ascending modulo 2^16. Returns how many of them it names:
  /// fewer than all when the room ends.
  @_lifetime(output: copy output)
  public static func writeGenericNACK(
    senderSSRC: UInt32, mediaSSRC: UInt32, lost: Span<UInt16>, into output: inout OutputRawSpan
  ) -> Int {
    let items = nackItems(lost, limit: (output.freeCapacity - 12) / 4)
    guard items.used > 0 else { return 0 }
    writeHeader(
      format: 1, type: RTCPPacketLayout.PacketType.transportFeedback, byteCount: 12 + 4 * items.count, into: &output)
    output.appendBigEndian(senderSSRC)
    output.appendBigEndian(mediaSSRC)
    var index = 0
    while index < items.used {
      let packetID = lost[index]
      var mask: UInt16 = 0
      index += 1
      while index < items.used, let bit = maskBit(of: lost[index], after: packetID) {
        mask |= bit
        index += 1
      }
      output.appendBigEndian(packetID)
      output.appendBigEndian(mask)
    }
    return items.used
  }

  /// Calls `body` with each sequence number that the NACK at `layout` names. Other packets name none.
  @inlinable public static func forEachLostSequenceNumber(
    in bytes: RawSpan, at layout: RTCPPacketLayout, _ body: (UInt16) -> Void
  ) {
    guard layout.packetType == RTCPPacketLayout.PacketType.transportFeedback, layout.count == 1,
      layout.bodyRange.upperBound <= bytes.byteCount
    else { return }
    var offset = layout.bodyRange.lowerBound + 8
    while offset + 4 <= layout.bodyRange.upperBound {
      let packetID = bytes.uint16(at: offset)
      var mask = bytes.uint16(at: offset + 2)
      body(packetID)
      var next = packetID
      while mask != 0 {
        next &+= 1
        if mask & 1 != 0 { body(next) }
        mask &>>= 1
      }
      offset += 4
    }
  }

  /// How many items name how many of `lost`, at most `limit` items.
  private static func nackItems(_ lost: Span<UInt16>, limit: Int) -> (count: Int, used: Int) {
    var count = 0
    var index = 0
    while index < lost.count, count < limit {
      let packetID = lost[index]
      count += 1
      index += 1
      while index < lost.count, maskBit(of: lost[index], after: packetID) != nil { index += 1 }
    }
    return (count, index)
  }

  private static func maskBit(of sequenceNumber: UInt16, after packetID: UInt16) -> UInt16? {
    let distance = sequenceNumber &- packetID
    return (1...16).contains(distance) ? 1 &<< (distance - 1) : nil
  }

  @_lifetime(output: copy output)
  static func writeHeader(format: UInt8, type: UInt8, byteCount: Int, into output: inout OutputRawSpan) {
    output.append(0x80 | format & 0x1F)
    output.append(type)
    output.appendBigEndian(UInt16(truncatingIfNeeded: byteCount / 4 - 1))
  }
}
