/// Constants of the control protocol: JSON messages over a WebSocket at `path`. docs/protocol.md describes the exchange.
public enum ControlProtocol {
  /// The version that both sides must name in `join` and `login`.
  public static let version = 1
  /// Where the server accepts channel connections.
  public static let channelPath = "/v1/channel"
  /// Where the server accepts signalling connections.
  public static let signalPath = "/v1/signal"
  /// The longest message the server accepts, in bytes: room for the longest text of `SendRequest` when JSON escapes every
  /// byte of it with six.
  public static let maximumMessageByteCount = 262_144
  /// Longest channel name in bytes (specification: below 64).
  public static let maximumChannelNameByteCount = 63

  /// Letters, digits, space and the punctuation that channel names may use.
  static let channelNamePunctuation = Set("!#$%&()+-:;<=.>?@[]^_{}|~, ".utf8)

  /// Whether `name` may name a channel: 1 to 63 bytes of the allowed characters.
  public static func isValidChannelName(_ name: String) -> Bool {
    let bytes = name.utf8
    return (1...maximumChannelNameByteCount).contains(bytes.count)
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: channelNamePunctuation.contains(byte)
        }
      }
  }

  /// Whether `uid` is a user's number: 1 to 2^32 - 1.
  public static func isValidUID(_ uid: UInt) -> Bool { uid >= 1 && uid <= UInt(UInt32.max) }
}
