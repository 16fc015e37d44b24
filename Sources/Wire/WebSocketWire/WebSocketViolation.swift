/// What is wrong with what has come. The connection is of no use any more: `closeCode` and `description` go into the frame
/// that ends it.
public enum WebSocketViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// Bits are set that only extensions use, and none was agreed (RFC 6455 section 5.2).
  case reservedBits
  /// A kind of frame that does not exist.
  case unknownOpcode(UInt8)
  /// Frames of clients must be masked, those of servers must not be (section 5.1).
  case wrongMasking
  /// A length that is not written as short as it can be, or larger than 2^63 (section 5.2).
  case malformedLength
  /// A control frame in parts, or longer than 125 bytes (section 5.5).
  case malformedControlFrame
  /// A part of a message that has not begun, or a message within another one (section 5.4).
  case wrongOrder
  /// Neither code nor reason of a close frame can be read (section 5.5.1).
  case malformedClose
  /// A text that is not UTF-8 (section 8.1).
  case notUTF8
  /// Bytes, where only texts are understood.
  case binary
  /// A message that is longer than is taken.
  case messageTooLong(maximumByteCount: Int)
  /// Control frames and empty parts without end.
  case tooMuchBesideTexts

  /// What the other side is told.
  public var closeCode: WebSocketCloseCode {
    switch self {
    case .notUTF8: .invalidPayload
    case .binary: .unsupportedData
    case .messageTooLong: .messageTooBig
    case .tooMuchBesideTexts: .policyViolation
    default: .protocolError
    }
  }

  /// A sentence for those who make the other side; at most 123 bytes, as a close frame has room for.
  public var description: String {
    switch self {
    case .reservedBits: "A reserved bit is set, but no extension was agreed."
    case .unknownOpcode(let opcode): "There is no frame of kind \(opcode)."
    case .wrongMasking: "Clients must mask their frames, servers must not."
    case .malformedLength: "A frame's length is not written as short as it can be."
    case .malformedControlFrame: "A control frame must be whole and have at most 125 bytes."
    case .wrongOrder: "A message has begun within another one, or goes on without having begun."
    case .malformedClose: "The close frame's code or reason is none."
    case .notUTF8: "A text is not UTF-8."
    case .binary: "Only texts are understood here."
    case .messageTooLong(let maximumByteCount): "A message may have at most \(maximumByteCount) bytes."
    case .tooMuchBesideTexts: "Too many control frames or empty parts without a text."
    }
  }
}
