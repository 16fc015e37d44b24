import MediaBase

/// Where the parts of an RTP packet lie in its bytes (RFC 3550 section 5.1, RFC 8285). Copies nothing and allocates nothing.
public struct RTPPacketLayout: Hashable, Sendable {
  /// The fixed part.
  public let header: RTPHeader
  /// Contributing sources after the fixed part, 0 to 15.
  public let csrcCount: Int
  /// Bytes before the payload: fixed part, CSRCs and extension block.
  public let headerLength: Int
  /// The 16 bits that name the extension's form; `nil` without an extension.
  public let extensionProfile: UInt16?
  /// The extension's data after its 4-byte prefix; empty without an extension.
  public let extensionRange: Range<Int>
  /// The payload without padding (with `encrypted: true`: everything after the header).
  public let payloadRange: Range<Int>
  /// Padding bytes at the end, 0 if there are none or if they are encrypted.
  public let paddingLength: Int

  /// Finds the parts. Of an `encrypted` packet (SRTP) the padding is not examined, since its length byte cannot be read.
  public init(parsing bytes: RawSpan, encrypted: Bool = false) throws(RTPParseError) {
    guard bytes.byteCount >= RTPHeader.byteCount else { throw .truncated }
    let first = bytes.uint8(at: 0)
    guard first &>> 6 == 2 else { throw .unsupportedVersion }
    let second = bytes.uint8(at: 1)
    header = RTPHeader(
      marker: second & 0x80 != 0, payloadType: second & 0x7F, sequenceNumber: bytes.uint16(at: 2),
      timestamp: bytes.uint32(at: 4), ssrc: bytes.uint32(at: 8))
    csrcCount = Int(first & 0x0F)
    var offset = RTPHeader.byteCount + 4 * csrcCount
    guard offset <= bytes.byteCount else { throw .truncated }
    if first & 0x10 != 0 {
      guard offset + 4 <= bytes.byteCount else { throw .truncated }
      let length = 4 * Int(bytes.uint16(at: offset + 2))
      extensionProfile = bytes.uint16(at: offset)
      extensionRange = offset + 4..<offset + 4 + length
      offset += 4 + length
      guard offset <= bytes.byteCount else { throw .truncated }
    } else {
      extensionProfile = nil
      extensionRange = offset..<offset
    }
    headerLength = offset
    if first & 0x20 != 0 && !encrypted {
      let padding = Int(bytes.uint8(at: bytes.byteCount - 1))
      guard padding > 0, offset + padding <= bytes.byteCount else { throw .invalidPadding }
      paddingLength = padding
    } else {
      paddingLength = 0
    }
    payloadRange = offset..<bytes.byteCount - paddingLength
  }

  /// The data of the extension element `id` in the packet that this layout was made of; `nil` if there is none. Knows the
  /// one-byte form (profile 0xBEDE, RFC 8285 section 4.2) and the two-byte form (0x100x, section 4.3).
  public func headerExtension(id: UInt8, in bytes: RawSpan) -> Range<Int>? {
    guard let extensionProfile, id != 0, extensionRange.upperBound <= bytes.byteCount else { return nil }
    if extensionProfile == RTPHeaderExtension.oneByteProfile { return oneByteElement(id: id, in: bytes) }
    if extensionProfile & 0xFFF0 == RTPHeaderExtension.twoByteProfile { return twoByteElement(id: id, in: bytes) }
    return nil
  }

  private func oneByteElement(id: UInt8, in bytes: RawSpan) -> Range<Int>? {
    var offset = extensionRange.lowerBound
    while offset < extensionRange.upperBound {
      let prefix = bytes.uint8(at: offset)
      offset += 1
      if prefix == 0 { continue }  // a padding byte
      let elementID = prefix &>> 4
      // Section 4.2: nothing behind these two is looked at.
      if elementID == 15 || elementID == 0 { return nil }
      let end = offset + Int(prefix & 0x0F) + 1
      guard end <= extensionRange.upperBound else { return nil }
      if elementID == id { return offset..<end }
      offset = end
    }
    return nil
  }

  private func twoByteElement(id: UInt8, in bytes: RawSpan) -> Range<Int>? {
    var offset = extensionRange.lowerBound
    while offset < extensionRange.upperBound {
      let elementID = bytes.uint8(at: offset)
      offset += 1
      if elementID == 0 { continue }  // a padding byte
      guard offset < extensionRange.upperBound else { return nil }
      let end = offset + 1 + Int(bytes.uint8(at: offset))
      guard end <= extensionRange.upperBound else { return nil }
      if elementID == id { return offset + 1..<end }
      offset = end
    }
    return nil
  }
}
