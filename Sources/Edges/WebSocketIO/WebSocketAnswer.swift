import CSoup
import WebSocketWire

/// What the server says to a request that opens a WebSocket, or would have liked to.
enum WebSocketAnswer {
  /// It does (RFC 6455 section 4.2.2).
  static func accepting(_ upgrade: WebSocketUpgrade) -> [UInt8] {
    Array(
      ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        + accept(upgrade.key) + "\r\n\r\n").utf8)
  }

  /// It does not, and why.
  static func refusing(_ refusal: WebSocketUpgrade.Refusal) -> [UInt8] {
    switch refusal {
    case .notAnUpgrade:
      bytes(426, "Upgrade Required", "Here is a WebSocket: ask for an upgrade (RFC 6455).", ["Upgrade: websocket"])
    case .otherVersion:
      bytes(
        426, "Upgrade Required", "Only version \(WebSocketUpgrade.version) of WebSockets is spoken here.",
        ["Upgrade: websocket", "Sec-WebSocket-Version: \(WebSocketUpgrade.version)"])
    case .malformed(let name): bytes(400, "Bad Request", "The header field \(name) is missing or malformed.")
    }
  }

  /// A whole answer; the connection ends behind it.
  static func bytes(_ status: Int, _ phrase: String, _ sentence: String, _ headers: [String] = []) -> [UInt8] {
    let lines =
      ["HTTP/1.1 \(status) \(phrase)"] + headers + [
        "Connection: close", "Content-Type: text/plain; charset=utf-8",
        "Content-Length: \(sentence.utf8.count + 1)",
      ]
    return Array((lines.map { $0 + "\r\n" }.joined() + "\r\n" + sentence + "\n").utf8)
  }

  /// `Sec-WebSocket-Accept` for a key: SHA-1 in base64.
  static func accept(_ key: String) -> String {
    let text = Array((key + WebSocketUpgrade.keySuffix).utf8)
    guard let checksum = g_checksum_new(G_CHECKSUM_SHA1) else { return "" }
    defer { g_checksum_free(checksum) }
    g_checksum_update(checksum, text, gssize(text.count))
    var digest = [UInt8](repeating: 0, count: 20)
    var count = gsize(digest.count)
    g_checksum_get_digest(checksum, &digest, &count)
    guard let encoded = g_base64_encode(digest, count) else { return "" }
    defer { g_free(encoded) }
    return String(cString: encoded)
  }
}
