public import MediaBase

/// Reads the frames of one side of a WebSocket (RFC 6455 section 5) from a stream of bytes, and puts texts together again.
/// Memory is needed only while a message or a frame has come in part.
public struct WebSocketReceiver: Sendable {
  /// Whose frames are read.
  public enum Sender: Sendable {
    /// They are masked.
    case client
    /// They are not.
    case server
  }

  /// Something that has come whole.
  public enum Event: Hashable, Sendable {
    /// A text.
    case text(String)
    /// To be answered by a pong with the same content.
    case ping([UInt8])
    /// The answer to a ping.
    case pong([UInt8])
    /// The other side ends the connection; nothing follows.
    case close(WebSocketCloseCode?, reason: String)
  }

  /// Bytes a second that control frames may have beside texts.
  static let controlByteRate = 64.0

  private let sender: Sender
  private let maximumByteCount: Int
  /// A header whose end has not come.
  private var headerBytes: [UInt8] = []
  /// The frame whose content is read, and how much of it has come.
  private var frame: WebSocketFrameHeader?
  private var payloadOffset = 0
  /// The content of a control frame so far.
  private var control: [UInt8] = []
  /// The text so far, if one has begun.
  private var message: [UInt8] = []
  private var isInMessage = false
  /// Bytes that headers and control frames may have before a text is complete: frames may be empty, so that the lengths of
  /// their contents limit nothing.
  private var allowance: Double
  private var allowanceTime: MediaInstant?
  /// Whether the other side has ended the connection, or broken the protocol.
  public private(set) var hasEnded = false

  /// Bytes that are kept until a message or a frame has come whole.
  public var waitingByteCount: Int { message.count + control.count + headerBytes.count }

  /// - Parameter maximumMessageByteCount: a longer message is a violation.
  public init(from sender: Sender, maximumMessageByteCount: Int) {
    self.sender = sender
    maximumByteCount = maximumMessageByteCount
    allowance = 4 * Double(maximumMessageByteCount)
  }

  /// Takes the next bytes, and calls `body` with what they complete, in order. The bytes are written to.
  ///
  /// - Throws: the first violation, after what was in order before it; nothing is read any more then.
  public mutating func receive(
    _ bytes: UnsafeMutableRawBufferPointer, now: MediaInstant, _ body: (Event) -> Void
  ) throws(WebSocketViolation) {
    earn(now: now)
    do throws(WebSocketViolation) {
      var offset = 0
      while offset < bytes.count, !hasEnded {
        if frame == nil { try readHeader(bytes, &offset) }
        if let frame { try readPayload(of: frame, bytes, &offset, body) }
      }
    } catch {
      hasEnded = true
      throw error
    }
  }

  private mutating func earn(now: MediaInstant) {
    if let allowanceTime {
      allowance = min(4 * Double(maximumByteCount), allowance + (now - allowanceTime).seconds * Self.controlByteRate)
    }
    allowanceTime = now
  }

  private mutating func readHeader(
    _ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int
  ) throws(WebSocketViolation) {
    if headerBytes.isEmpty {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      if let (header, count) = try WebSocketFrameHeader.parse(rest) {
        offset += count
        return try begin(header, byteCount: count)
      }
    }
    while offset < bytes.count {
      headerBytes.append(bytes[offset])
      offset += 1
      guard let (header, count) = try Self.header(in: headerBytes) else { continue }
      headerBytes = []
      return try begin(header, byteCount: count)
    }
  }

  private static func header(
    in bytes: [UInt8]
  ) throws(WebSocketViolation) -> (header: WebSocketFrameHeader, byteCount: Int)? {
    // withUnsafeBytes knows no typed errors here.
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(WebSocketViolation) in try WebSocketFrameHeader.parse(bytes) }
    }
    return try result.get()
  }

  private mutating func begin(_ header: WebSocketFrameHeader, byteCount: Int) throws(WebSocketViolation) {
    guard (header.maskingKey != nil) == (sender == .client) else { throw .wrongMasking }
    if !header.opcode.isControl {
      guard header.opcode != .binary else { throw .binary }
      guard isInMessage == (header.opcode == .continuation) else { throw .wrongOrder }
      guard header.payloadByteCount <= maximumByteCount - message.count else {
        throw .messageTooLong(maximumByteCount: maximumByteCount)
      }
      isInMessage = true
    }
    // Charged when a frame begins, so that it does not matter in which pieces it comes. Contents of texts have a limit of
    // their own.
    allowance -= Double(byteCount + (header.opcode.isControl ? header.payloadByteCount : 0))
    if allowance < 0 { throw .tooMuchBesideTexts }
    frame = header
    payloadOffset = 0
  }

  private mutating func readPayload(
    of header: WebSocketFrameHeader, _ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int,
    _ body: (Event) -> Void
  ) throws(WebSocketViolation) {
    let count = min(header.payloadByteCount - payloadOffset, bytes.count - offset)
    let part = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + count])
    if let key = header.maskingKey { WebSocketMask.apply(key, to: part, offset: payloadOffset) }
    offset += count
    payloadOffset += count
    let isWhole = payloadOffset == header.payloadByteCount
    if isWhole { frame = nil }
    if header.opcode.isControl {
      control.append(contentsOf: part)
      if isWhole { try finishControl(header.opcode, body) }
    } else if isWhole, header.isFinal {
      try finishText(UnsafeRawBufferPointer(part), body)
    } else {
      message.append(contentsOf: part)
    }
  }

  private mutating func finishText(
    _ end: UnsafeRawBufferPointer, _ body: (Event) -> Void
  ) throws(WebSocketViolation) {
    let text: String?
    if message.isEmpty {
      text = String(validating: end, as: UTF8.self)
    } else {
      message.append(contentsOf: end)
      text = String(validating: message, as: UTF8.self)
      message = []
    }
    isInMessage = false
    guard let text else { throw .notUTF8 }
    allowance = 4 * Double(maximumByteCount)
    body(.text(text))
  }

  private mutating func finishControl(
    _ opcode: WebSocketOpcode, _ body: (Event) -> Void
  ) throws(WebSocketViolation) {
    let payload = control
    control = []
    switch opcode {
    case .ping: body(.ping(payload))
    case .pong: body(.pong(payload))
    default:
      let (code, reason) = try Self.closing(payload)
      hasEnded = true
      body(.close(code, reason: reason))
    }
  }

  /// Code and reason in a close frame (section 5.5.1).
  private static func closing(_ payload: [UInt8]) throws(WebSocketViolation) -> (WebSocketCloseCode?, String) {
    guard !payload.isEmpty else { return (nil, "") }
    guard payload.count >= 2 else { throw .malformedClose }
    let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) &<< 8 | UInt16(payload[1]))
    guard code.isSendable, let reason = String(validating: payload[2...], as: UTF8.self) else { throw .malformedClose }
    return (code, reason)
  }
}
