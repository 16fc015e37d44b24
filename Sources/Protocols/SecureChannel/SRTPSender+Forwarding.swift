extension SRTPSender {
  /// Seals a payload behind a header that the caller has just written itself, so that nothing of it has to be read: for
  /// forwarders, by the packet. False, and nothing may be sent, if that number has been used, or the key or its places for
  /// streams have come to their end.
  ///
  /// - Parameters:
  ///   - packet: the header, and room for the payload and `rtpOverhead` bytes behind it.
  ///   - payload: the place behind the header, or outside of the packet.
  @inline(__always)
  public mutating func sealRTP(
    ssrc: UInt32, sequenceNumber: UInt16, packet: UnsafeMutableRawPointer, headerLength: Int,
    payload: UnsafeRawPointer, payloadLength: Int
  ) -> Bool {
    guard let index = streams.take(sequenceNumber, of: ssrc) else { return false }
    return rtp.runRTP(
      ssrc: ssrc, index: index, packet: packet, headerLength: headerLength, source: payload, length: payloadLength)
  }
}
