/// What a frame carries (RFC 6455 section 5.2).
public enum WebSocketOpcode: UInt8, Hashable, Sendable {
  /// More of a message that has begun.
  case continuation = 0
  /// A text, or its first part.
  case text = 1
  /// Bytes, or their first part.
  case binary = 2
  /// The end of the connection.
  case close = 8
  /// To be answered by a pong with the same content.
  case ping = 9
  /// The answer to a ping.
  case pong = 10

  /// Whether the frame is not part of a message (section 5.5).
  public var isControl: Bool { rawValue >= 8 }
}
