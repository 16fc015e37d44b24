import MediaBase

/// SDES and BYE, as far as RTP sessions need them: a canonical name, and leaving.
public enum RTCPSource {
  /// Appends a source description with one CNAME (RFC 3550 section 6.5.1). At most 255 bytes of `cname` are written;
  /// returns false, and appends nothing, when there is no room.
  @_lifetime(output: copy output)
  public static func writeDescription(ssrc: UInt32, cname: String, into output: inout OutputRawSpan) -> Bool {
    let name = cname.utf8.prefix(255)
    // SSRC, item type, length, text, then 1 to 4 zero bytes that end the chunk on a multiple of four.
    let chunk = (6 + name.count) / 4 * 4 + 4
    guard output.freeCapacity >= 4 + chunk else { return false }
    RTCPFeedback.writeHeader(
      format: 1, type: RTCPPacketLayout.PacketType.sourceDescription, byteCount: 4 + chunk, into: &output)
    output.appendBigEndian(ssrc)
    output.append(1 as UInt8)
    output.append(UInt8(truncatingIfNeeded: name.count))
    for byte in name { output.append(byte) }
    for _ in 6 + name.count..<chunk { output.append(0 as UInt8) }
    return true
  }

  /// Appends a goodbye of one source (RFC 3550 section 6.6), 8 bytes; false without room.
  @_lifetime(output: copy output)
  public static func writeGoodbye(ssrc: UInt32, into output: inout OutputRawSpan) -> Bool {
    guard output.freeCapacity >= 8 else { return false }
    RTCPFeedback.writeHeader(format: 1, type: RTCPPacketLayout.PacketType.goodbye, byteCount: 8, into: &output)
    output.appendBigEndian(ssrc)
    return true
  }

  /// Calls `body` with each source that the goodbye at `layout` names. Other packets name none.
  @inlinable public static func forEachGoodbyeSSRC(
    in bytes: RawSpan, at layout: RTCPPacketLayout, _ body: (UInt32) -> Void
  ) {
    guard layout.packetType == RTCPPacketLayout.PacketType.goodbye, layout.bodyRange.upperBound <= bytes.byteCount
    else {
      return
    }
    var offset = layout.bodyRange.lowerBound
    for _ in 0..<layout.count where offset + 4 <= layout.bodyRange.upperBound {
      body(bytes.uint32(at: offset))
      offset += 4
    }
  }
}
