/// What happens to a WebSocket client, in this order: `opened`, then texts, then one of `closed`, `addressLost` and `failed`; or
/// `failed` alone.
public enum WebSocketEvent: Sendable {
  /// Texts can be sent.
  case opened
  /// A text from the server.
  case text(String)
  /// The connection is closed; code and reason as the server gave them (RFC 6455 section 7.4; 1006 if it gave none).
  case closed(Int, String)
  /// The connection has ended because the address of this machine that it belongs to has gone, or leads to the server no
  /// more, while another does: a new connection may succeed at once.
  case addressLost
  /// The connection could not be opened.
  case failed(WebSocketError)
}
