import MediaBase

/// Writes extension elements in the one-byte form (RFC 8285 section 4.2).
public enum RTPHeaderExtension {
  /// Names the one-byte form.
  public static let oneByteProfile: UInt16 = 0xBEDE
  /// Names the two-byte form; the low four bits are the application's.
  public static let twoByteProfile: UInt16 = 0x1000

  /// Appends the 4-byte prefix of a block whose elements take `elementBytes` bytes before padding to a multiple of four.
  /// The caller has checked for `blockByteCount(elementBytes:)` bytes of room.
  @_lifetime(output: copy output)
  public static func writePrefix(elementBytes: Int, into output: inout OutputRawSpan) {
    output.appendBigEndian(oneByteProfile)
    output.appendBigEndian(UInt16(truncatingIfNeeded: (elementBytes &+ 3) / 4))
  }

  /// All bytes of a block: prefix, elements and padding.
  public static func blockByteCount(elementBytes: Int) -> Int { 4 + (elementBytes + 3) / 4 * 4 }

  /// Appends the audio level (RFC 6464): 2 bytes; `level` is in -dBov, 0 loudest, 127 silence.
  @_lifetime(output: copy output)
  public static func writeAudioLevel(id: UInt8, level: UInt8, voice: Bool, into output: inout OutputRawSpan) {
    output.append(id &<< 4)
    output.append((voice ? 0x80 : 0) | min(level, 127))
  }

  /// Appends a transport-wide sequence number: 3 bytes.
  @_lifetime(output: copy output)
  public static func writeTransportSequenceNumber(id: UInt8, _ number: UInt16, into output: inout OutputRawSpan) {
    output.append(id &<< 4 | 1)
    output.appendBigEndian(number)
  }

  /// Appends the zero bytes that fill the block.
  @_lifetime(output: copy output)
  public static func writePadding(elementBytes: Int, into output: inout OutputRawSpan) {
    for _ in 0..<(4 - elementBytes % 4) % 4 { output.append(0) }
  }
}
