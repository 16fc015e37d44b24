/// What stands before a frame's content (RFC 6455 section 5.2).
public struct WebSocketFrameHeader: Hashable, Sendable {
  /// FIN: whether this is the last part of its message.
  public var isFinal: Bool
  /// What the frame carries.
  public var opcode: WebSocketOpcode
  /// The masking key, its first byte on the wire the highest; `nil` if the content is not masked.
  public var maskingKey: UInt32?
  /// Bytes of content.
  public var payloadByteCount: Int

  /// Most bytes of content that a control frame may have.
  public static let maximumControlByteCount = 125

  /// Makes a header.
  public init(isFinal: Bool = true, opcode: WebSocketOpcode, maskingKey: UInt32? = nil, payloadByteCount: Int) {
    self.isFinal = isFinal
    self.opcode = opcode
    self.maskingKey = maskingKey
    self.payloadByteCount = payloadByteCount
  }

  /// Reads the header at the beginning of `bytes`, and how long it is; `nil` if its end has not come yet.
  public static func parse(
    _ bytes: UnsafeRawBufferPointer
  ) throws(WebSocketViolation) -> (header: WebSocketFrameHeader, byteCount: Int)? {
    guard bytes.count >= 2 else { return nil }
    let (first, second) = (bytes[0], bytes[1])
    guard first & 0x70 == 0 else { throw .reservedBits }
    guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else { throw .unknownOpcode(first & 0x0F) }
    let lengthByteCount = second & 0x7F == 127 ? 8 : second & 0x7F == 126 ? 2 : 0
    let isMasked = second & 0x80 != 0
    let byteCount = 2 + lengthByteCount + (isMasked ? 4 : 0)
    let header = WebSocketFrameHeader(isFinal: first & 0x80 != 0, opcode: opcode, payloadByteCount: 0)
    if opcode.isControl, !header.isFinal || lengthByteCount > 0 { throw .malformedControlFrame }
    guard bytes.count >= byteCount else { return nil }
    var whole = header
    whole.payloadByteCount = try length(bytes, lengthByteCount, short: Int(second & 0x7F))
    if isMasked { whole.maskingKey = UInt32(number(bytes[(byteCount - 4)..<byteCount])) }
    return (whole, byteCount)
  }

  private static func length(
    _ bytes: UnsafeRawBufferPointer, _ byteCount: Int, short: Int
  ) throws(WebSocketViolation) -> Int {
    guard byteCount > 0 else { return short }
    let long = number(bytes[2..<2 + byteCount])
    guard long > (byteCount == 2 ? 125 : 65_535), let length = Int(exactly: long) else { throw .malformedLength }
    return length
  }

  private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    bytes.reduce(0) { $0 &<< 8 | UInt64($1) }
  }

  /// Writes the header behind `bytes`.
  public func append(to bytes: inout [UInt8]) {
    bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
    let mask: UInt8 = maskingKey == nil ? 0 : 0x80
    switch payloadByteCount {
    case ..<126: bytes.append(mask | UInt8(truncatingIfNeeded: payloadByteCount))
    case ..<65_536:
      bytes.append(mask | 126)
      Self.append(UInt64(payloadByteCount), byteCount: 2, to: &bytes)
    default:
      bytes.append(mask | 127)
      Self.append(UInt64(payloadByteCount), byteCount: 8, to: &bytes)
    }
    if let maskingKey { Self.append(UInt64(maskingKey), byteCount: 4, to: &bytes) }
  }

  private static func append(_ number: UInt64, byteCount: Int, to bytes: inout [UInt8]) {
    for index in (0..<byteCount).reversed() { bytes.append(UInt8(truncatingIfNeeded: number &>> UInt64(8 * index))) }
  }
}
