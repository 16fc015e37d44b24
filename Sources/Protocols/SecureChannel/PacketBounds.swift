/// The few fields of a packet that its protection needs, read with every bound checked.
enum PacketBounds {
  static let rtcpHeaderLength = 8

  /// The length of the RTP header with CSRCs and extension block, within `length` bytes (RFC 3550 section 5.1, 5.3.1).
  static func rtpHeaderLength(_ packet: UnsafeRawBufferPointer, length: Int) throws(SRTPError) -> Int {
    guard length >= 12, length <= packet.count, packet[0] >> 6 == 2 else { throw .malformed }
    var header = 12 &+ 4 &* Int(packet[0] & 15)
    if packet[0] & 0x10 != 0 {
      guard header &+ 4 <= length else { throw .malformed }
      header &+= 4 &+ 4 &* (Int(packet[header &+ 2]) << 8 | Int(packet[header &+ 3]))
    }
    guard header <= length else { throw .malformed }
    return header
  }

  /// Checks that an RTCP packet of `length` bytes has a header and `trailer` bytes more.
  static func checkRTCP(_ packet: UnsafeRawBufferPointer, length: Int, trailer: Int) throws(SRTPError) {
    guard length >= rtcpHeaderLength &+ trailer, length <= packet.count, packet[0] >> 6 == 2 else { throw .malformed }
  }

  /// Four bytes in network order; the caller has checked the bounds.
  static func word(_ packet: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Two bytes in network order; the caller has checked the bounds.
  static func halfWord(_ packet: UnsafeRawBufferPointer, at offset: Int) -> UInt16 {
    UInt16(bigEndian: packet.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}
