import CSoup
import MediaBase
import Synchronization

/// A WebSocket to a server (RFC 6455), by libsoup. All methods may be called from any thread; events come on a thread that
/// all clients of the process share.
///
/// Letting the client go closes the connection without further events.
public final class WebSocketClient: Sendable {
  /// Longest message that is taken, in bytes; a longer one ends the connection. Room for the users of the largest channel.
  public static let maximumMessageByteCount = 4 << 20

  private let loop: GLibLoop
  private let connection: WebSocketClientConnection

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - trustedCertificates: a file of certificates in PEM that `wss` servers have to be signed by; nil for those that
  ///     the system trusts.
  ///   - silence: a server that is not heard for so long, though it is pinged, counts as gone: `closed` with 1006.
  ///   - onEvent: must return quickly. Not called any more after the client has been let go, except for a call that is
  ///     already running.
  public init(
    url: String, trustedCertificates: String? = nil, silence: MediaDuration = .milliseconds(30_000),
    onEvent: @escaping @Sendable (WebSocketEvent) -> Void
  ) {
    let loop = GLibLoop.sharedByClients()
    let connection = WebSocketClientConnection(
      url: url, trustedCertificates: trustedCertificates, silence: silence, loop: loop, onEvent: onEvent)
    self.loop = loop
    self.connection = connection
    loop.post { connection.open() }
    loop.post(afterMilliseconds: WebSocketClientConnection.openTimeoutMilliseconds) { [weak connection] in
      connection?.giveUpOpening()
    }
  }

  /// Whether connecting to this can be tried at all: `ws://` or `wss://`, a host, and perhaps a port and a path.
  public static func isAddress(_ url: String) -> Bool {
    guard let message = WebSocketClientConnection.message(for: url) else { return false }
    g_object_unref(UnsafeMutableRawPointer(message))
    return true
  }

  deinit {
    let connection = connection
    connection.silence()
    loop.post { connection.close(code: 1_001) }
  }

  /// Sends a text; one sent before `opened` or after the end is dropped.
  public func send(text: String) {
    let connection = connection
    loop.post { connection.send(text) }
  }

  /// Closes the connection; `closed` follows, with this code if the server does not give another.
  public func close(code: Int = 1_000) {
    let connection = connection
    loop.post { connection.close(code: code) }
  }
}
