import MediaBase

extension RTCPFeedback {
  /// The receiver's estimate of the bit rate that it can take (REMB, draft-alvestrand-rmcat-remb-03 section 2.2), in bits
  /// per second; what is beyond 64 bits is clamped. `nil` for other packets.
  public static func receiverEstimate(in bytes: RawSpan, at layout: RTCPPacketLayout) -> UInt64? {
    let body = layout.bodyRange
    guard layout.packetType == RTCPPacketLayout.PacketType.payloadFeedback, layout.count == 15, body.count >= 16,
      body.upperBound <= bytes.byteCount, bytes.uint32(at: body.lowerBound + 8) == 0x5245_4D42
    else { return nil }
    let field = bytes.uint24(at: body.lowerBound + 13)
    let (exponent, mantissa) = (UInt64(field &>> 18), UInt64(field & 0x3FFFF))
    guard mantissa == 0 || mantissa.leadingZeroBitCount >= exponent else { return .max }
    return mantissa &<< exponent
  }

  /// Appends the receiver's estimate of the bit rate that it can take of the streams `mediaSSRCs`, 255 at most, together
  /// (REMB, draft-alvestrand-rmcat-remb-03 section 2.2): 20 bytes and 4 for each of them; false without room. What does not
  /// fit the 18 bits of the mantissa is cut off.
  @_lifetime(output: copy output)
  public static func writeReceiverEstimate(
    senderSSRC: UInt32, bitrate: UInt64, mediaSSRCs: [UInt32], into output: inout OutputRawSpan
  ) -> Bool {
    let byteCount = 20 + 4 * mediaSSRCs.count
    guard let count = UInt8(exactly: mediaSSRCs.count), output.freeCapacity >= byteCount else { return false }
    writeHeader(format: 15, type: RTCPPacketLayout.PacketType.payloadFeedback, byteCount: byteCount, into: &output)
    output.appendBigEndian(senderSSRC)
    output.appendBigEndian(0 as UInt32)  // section 2.2: the media source is unused
    output.appendBigEndian(0x5245_4D42 as UInt32)
    output.append(count)
    let exponent = UInt64(max(0, 46 - bitrate.leadingZeroBitCount))
    output.appendBigEndian24(UInt32(exponent &<< 18 | bitrate &>> exponent))
    for ssrc in mediaSSRCs { output.appendBigEndian(ssrc) }
    return true
  }
}
