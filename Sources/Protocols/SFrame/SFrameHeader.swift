import MediaBase

/// The header of an encrypted frame (RFC 9605 section 4.3): which key, and the frame's number under it.
public struct SFrameHeader: Hashable, Sendable {
  /// The longest header in bytes.
  public static let maximumByteCount = 17

  /// KID, which tells the receiver what key to use.
  public var keyID: UInt64
  /// CTR, which no two frames under one key share.
  public var counter: UInt64

  /// Makes a header.
  public init(keyID: UInt64, counter: UInt64) {
    self.keyID = keyID
    self.counter = counter
  }

  /// Reads the header at the start of `bytes`; returns its length too.
  public static func parse(_ bytes: RawSpan) throws(SFrameError) -> (header: SFrameHeader, byteCount: Int) {
    guard bytes.byteCount >= 1 else { throw .malformed }
    let configuration = bytes.uint8(at: 0)
    var offset = 1
    let keyID = try readField(configuration &>> 4, in: bytes, at: &offset)
    let counter = try readField(configuration, in: bytes, at: &offset)
    return (SFrameHeader(keyID: keyID, counter: counter), offset)
  }

  /// Four bits say what stands in a field: below 8 the value itself, otherwise the value's length less 1.
  private static func readField(_ bits: UInt8, in bytes: RawSpan, at offset: inout Int) throws(SFrameError) -> UInt64 {
    guard bits & 0x8 != 0 else { return UInt64(bits & 0x7) }
    let length = Int(bits & 0x7) + 1
    guard bytes.byteCount - offset >= length else { throw .malformed }
    var value: UInt64 = 0
    for position in offset..<offset + length { value = value &<< 8 | UInt64(bytes.uint8(at: position)) }
    offset += length
    return value
  }

  /// The header's length.
  public var byteCount: Int { 1 + Self.length(keyID) + Self.length(counter) }

  /// Appends the header, each value in the shortest way.
  public func append(to bytes: inout [UInt8]) {
    bytes.append(Self.bits(keyID) &<< 4 | Self.bits(counter))
    Self.append(keyID, to: &bytes)
    Self.append(counter, to: &bytes)
  }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    for position in stride(from: length(value) - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: value &>> UInt64(8 * position)))
    }
  }

  private static func length(_ value: UInt64) -> Int { value < 8 ? 0 : (71 - value.leadingZeroBitCount) / 8 }

  private static func bits(_ value: UInt64) -> UInt8 {
    value < 8 ? UInt8(value) : 0x8 | UInt8(length(value) - 1)
  }
}
