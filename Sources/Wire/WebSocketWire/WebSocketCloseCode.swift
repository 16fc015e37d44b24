/// Why a connection ends (RFC 6455 section 7.4). 3000 to 3999 are registered, 4000 to 4999 are applications'.
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  /// The number on the wire.
  public var rawValue: UInt16

  /// Any number; `isSendable` tells whether it may be sent.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// It has done what it was for.
  public static let normal = WebSocketCloseCode(rawValue: 1_000)
  /// The other side breaks the protocol.
  public static let protocolError = WebSocketCloseCode(rawValue: 1_002)
  /// A kind of message that is not understood.
  public static let unsupportedData = WebSocketCloseCode(rawValue: 1_003)
  /// A text that is not UTF-8.
  public static let invalidPayload = WebSocketCloseCode(rawValue: 1_007)
  /// The other side breaks a rule of this one.
  public static let policyViolation = WebSocketCloseCode(rawValue: 1_008)
  /// A message that is too long.
  public static let messageTooBig = WebSocketCloseCode(rawValue: 1_009)

  /// Whether the number may stand in a frame: those that say that there was none may not.
  public var isSendable: Bool {
    switch rawValue {
    case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
    default: false
    }
  }
}
