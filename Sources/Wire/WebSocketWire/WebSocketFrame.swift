/// Writes frames (RFC 6455 section 5.2).
public enum WebSocketFrame {
  /// Writes a text as one frame behind `bytes`; masked for those of clients.
  public static func appendText(_ text: String, maskingKey: UInt32? = nil, to bytes: inout [UInt8]) {
    append(.text, text.utf8, maskingKey: maskingKey, to: &bytes)
  }

  /// Writes a frame behind `bytes`.
  public static func append(
    _ opcode: WebSocketOpcode, isFinal: Bool = true, _ payload: some Collection<UInt8>, maskingKey: UInt32? = nil,
    to bytes: inout [UInt8]
  ) {
    let count = payload.count
    WebSocketFrameHeader(isFinal: isFinal, opcode: opcode, maskingKey: maskingKey, payloadByteCount: count)
      .append(to: &bytes)
    let start = bytes.count
    bytes.append(contentsOf: payload)
    guard let maskingKey else { return }
    bytes.withUnsafeMutableBytes {
      WebSocketMask.apply(maskingKey, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
  }

  /// Writes the frame that ends a connection behind `bytes`; of the reason as much as there is room for (section 5.5).
  public static func appendClose(
    _ code: WebSocketCloseCode?, reason: String = "", maskingKey: UInt32? = nil, to bytes: inout [UInt8]
  ) {
    guard let code, code.isSendable else { return append(.close, [], maskingKey: maskingKey, to: &bytes) }
    var payload = [UInt8(truncatingIfNeeded: code.rawValue &>> 8), UInt8(truncatingIfNeeded: code.rawValue)]
    var room = WebSocketFrameHeader.maximumControlByteCount - payload.count
    for scalar in reason.unicodeScalars {
      let encoded = UTF8.encode(scalar)
      guard let encoded, encoded.count <= room else { break }
      payload.append(contentsOf: encoded)
      room -= encoded.count
    }
    append(.close, payload, maskingKey: maskingKey, to: &bytes)
  }
}
