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
}
