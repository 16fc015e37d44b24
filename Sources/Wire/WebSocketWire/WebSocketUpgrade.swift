/// A client's wish to go on with a WebSocket (RFC 6455 section 4.2.1).
public struct WebSocketUpgrade: Hashable, Sendable {
  /// `Sec-WebSocket-Key`: 16 bytes in base64, from which the answer follows (section 4.2.2).
  public var key: String

  /// What `key` is hashed with.
  public static let keySuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
  /// The only version there is.
  public static let version = "13"

  /// Why a request does not open a WebSocket.
  public enum Refusal: Error, Hashable, Sendable {
    /// It asks for something else.
    case notAnUpgrade
    /// It asks for another version of the protocol.
    case otherVersion
    /// Something is missing, or there twice.
    case malformed(String)
  }

  /// Reads the wish in a request.
  public init(_ head: HTTPRequestHead) throws(Refusal) {
    guard head.method == "GET", head.isHTTP11, head.has("websocket", in: "upgrade"),
      head.has("upgrade", in: "connection")
    else { throw .notAnUpgrade }
    guard head.onlyValue("host") != nil else { throw .malformed("Host") }
    guard head.onlyValue("sec-websocket-version") == Self.version else { throw .otherVersion }
    guard let key = head.onlyValue("sec-websocket-key"), Self.isKey(key) else { throw .malformed("Sec-WebSocket-Key") }
    self.key = key
  }

  /// 16 bytes in base64: 22 characters and two that fill up.
  private static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[22] == UInt8(ascii: "="), bytes[23] == UInt8(ascii: "=") else { return false }
    return bytes[..<22].allSatisfy {
      switch $0 {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }
}
