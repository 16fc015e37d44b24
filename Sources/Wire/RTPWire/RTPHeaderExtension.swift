public import MediaBase

/// Writes extension elements in the one-byte form (RFC 8285 section 4.2), or where it is said in the two-byte form (section 4.3).
public enum RTPHeaderExtension {
  /// Names the one-byte form.
  @inlinable public static var oneByteProfile: UInt16 { 0xBEDE }
  /// Names the two-byte form; the low four bits are the application's.
  @inlinable public static var twoByteProfile: UInt16 { 0x1000 }

  /// Appends the 4-byte prefix of a block whose elements take `elementBytes` bytes before padding to a multiple of four.
  /// The caller has checked for `blockByteCount(elementBytes:)` bytes of room.
  @inlinable @_lifetime(output: copy output)
  public static func writePrefix(elementBytes: Int, twoByteForm: Bool = false, into output: inout OutputRawSpan) {
    output.appendBigEndian(twoByteForm ? twoByteProfile : oneByteProfile)
    output.appendBigEndian(UInt16(truncatingIfNeeded: (elementBytes &+ 3) / 4))
  }

  /// All bytes of a block: prefix, elements and padding.
  public static func blockByteCount(elementBytes: Int) -> Int { 4 + (elementBytes + 3) / 4 * 4 }

  /// Appends the audio level (RFC 6464): 2 bytes; `level` is in -dBov, 0 loudest, 127 silence.
  @inlinable @_lifetime(output: copy output)
  public static func writeAudioLevel(id: UInt8, level: UInt8, voice: Bool, into output: inout OutputRawSpan) {
    output.append(id &<< 4)
    output.append((voice ? 0x80 : 0) | min(level, 127))
  }

  /// Appends a transport-wide sequence number: 3 bytes.
  @inlinable @_lifetime(output: copy output)
  public static func writeTransportSequenceNumber(id: UInt8, _ number: UInt16, into output: inout OutputRawSpan) {
    output.append(id &<< 4 | 1)
    output.appendBigEndian(number)
  }

  /// Appends what stands before an element's data: one byte for ids of 1 to 14 and 1 to 16 bytes of data, or two for ids of
  /// 1 to 255 and up to 255 bytes.
  @inlinable @_lifetime(output: copy output)
  public static func writeElement(id: UInt8, byteCount: Int, twoByteForm: Bool, into output: inout OutputRawSpan) {
    if twoByteForm {
      output.append(id)
      output.append(UInt8(truncatingIfNeeded: byteCount))
    } else {
      output.append(id &<< 4 | UInt8(truncatingIfNeeded: byteCount &- 1) & 0x0F)
    }
  }

  /// An instant for the extension abs-send-time: seconds modulo 64 with 18 bits behind the point.
  public static func sendTime(of instant: MediaInstant) -> UInt32 {
    let nanoseconds = UInt64(bitPattern: instant.nanoseconds) % 64_000_000_000
    return UInt32(truncatingIfNeeded: (nanoseconds &<< 18) / 1_000_000_000)
  }

  /// Appends the zero bytes that fill the block.
  @inlinable @_lifetime(output: copy output)
  public static func writePadding(elementBytes: Int, into output: inout OutputRawSpan) {
    for _ in 0..<(4 - elementBytes % 4) % 4 { output.append(0) }
  }
}
