import CSoup
import LinuxIO
import MediaBase
import Synchronization

/// A WebSocket that a client has opened. Its methods may be called from any thread.
public final class WebSocketServerConnection: @unchecked Sendable {
  // @unchecked: everything that can change is touched on the server's thread only.

  /// What the owner of a connection wants to know; called on the server's thread.
  public struct Handlers: Sendable {
    /// A text has come.
    public var onText: @Sendable (String) -> Void
    /// The connection has ended, whoever ended it. The last call.
    public var onClosed: @Sendable () -> Void

    /// Makes handlers.
    public init(onText: @escaping @Sendable (String) -> Void, onClosed: @escaping @Sendable () -> Void) {
      self.onText = onText
      self.onClosed = onClosed
    }
  }

  /// Counts connections of a server, from 1.
  public let id: UInt64
  /// The client's address, without the port; empty if unknown.
  public let remoteHost: String

  /// Most bytes that may be on their way to a client: one that does not read is cut off.
  static let unacknowledgedByteLimit: Int64 = 4 << 20

  /// Bytes a second that control frames may have beside texts.
  private static let controlByteRate: Int64 = 64

  private let loop: UnownedLoop
  private var connection: OpaquePointer?
  private let socket: UnsafeMutablePointer<GSocket>
  private var handlers: Handlers?
  /// Bytes of texts given to libsoup, and how many of them the client has, as far as has been asked.
  private var sentByteCount: Int64 = 0
  private var acknowledgedByteCount: Int64 = 0
  /// Bytes that may have been received, as the kernel counts them, before the next text is complete.
  private var receivableByteCount: Int64?
  private var maximumMessageByteCount: Int64 = 0
  private let onEnded: @Sendable (UInt64) -> Void

  struct UnownedLoop: Sendable {
    weak let loop: GLibLoop?
  }

  init(
    id: UInt64, connection: OpaquePointer, socket: UnsafeMutablePointer<GSocket>, remoteHost: String, loop: GLibLoop,
    onEnded: @escaping @Sendable (UInt64) -> Void
  ) {
    self.id = id
    self.remoteHost = remoteHost
    self.loop = UnownedLoop(loop: loop)
    self.onEnded = onEnded
    self.connection = connection
    self.socket = socket
    g_object_ref(UnsafeMutableRawPointer(connection))
    g_object_ref(UnsafeMutableRawPointer(socket))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(socket)) }

  /// Sends a text. Dropped if the connection has ended.
  public func send(text: String) { onLoop { $0.sendNow(text) } }

  /// Closes the connection; RFC 6455 section 7.4 lists codes, 4000 to 4999 are free.
  public func close(code: Int = 1_000, reason: String = "") { onLoop { $0.closeNow(code, reason) } }

  private func onLoop(_ body: @escaping @Sendable (WebSocketServerConnection) -> Void) {
    guard let loop = loop.loop else { return }
    if loop.isCurrent { body(self) } else { loop.post { body(self) } }
  }

  /// Begins to listen to the client. On the server's thread.
  func begin(_ handlers: Handlers, limits: HTTPLimits) {
    guard let connection else { return }
    self.handlers = handlers
    maximumMessageByteCount = Int64(limits.messageByteCount)
    soup_websocket_connection_set_max_incoming_payload_size(connection, guint64(limits.messageByteCount))
    soup_websocket_connection_set_keepalive_interval(
      connection, UInt32(clamping: limits.pingInterval.milliseconds / 1_000))
    g_socket_set_timeout(socket, UInt32(clamping: limits.silence.milliseconds / 1_000))
    connectSignal(connection, "message", unsafeBitCast(messageHandler, to: GCallback.self), keeping: self)
    connectSignal(connection, "closed", unsafeBitCast(closedHandler, to: GCallback.self), keeping: self)
  }

  /// Cuts off who sends a message without end: libsoup limits each part of a message, but not how many there are. Called
  /// every so many milliseconds, on the server's thread.
  func checkReceived(within milliseconds: UInt32) {
    guard connection != nil,
      let count = TCPConnection(fileDescriptor: g_socket_get_fd(socket))?.receivedByteCount
    else { return }
    let limit = receivableByteCount ?? count + 4 * maximumMessageByteCount
    receivableByteCount = limit + Self.controlByteRate * Int64(milliseconds) / 1_000
    if count > limit { drop() }
  }

  /// Lets the connection go without the closing handshake. On the server's thread.
  func drop() {
    guard let connection else { return }
    self.connection = nil
    if let stream = soup_websocket_connection_get_io_stream(connection) {
      g_io_stream_close(stream, nil, nil)
    }
    g_socket_close(socket, nil)
    g_object_unref(UnsafeMutableRawPointer(connection))
    finish()
  }

  private func sendNow(_ text: String) {
    guard let connection, soup_websocket_connection_get_state(connection) == SOUP_WEBSOCKET_STATE_OPEN else { return }
    sentByteCount += Int64(text.utf8.count)
    guard sentByteCount - acknowledgedByteCount <= Self.unacknowledgedByteLimit || hasRoom() else { return drop() }
    soup_websocket_connection_send_text(connection, text)
  }

  /// Whether the client has taken enough by now. What is not text makes it seem a little more than it is.
  private func hasRoom() -> Bool {
    acknowledgedByteCount =
      TCPConnection(fileDescriptor: g_socket_get_fd(socket))?.acknowledgedByteCount ?? acknowledgedByteCount
    return sentByteCount - acknowledgedByteCount <= Self.unacknowledgedByteLimit
  }

  private func closeNow(_ code: Int, _ reason: String) {
    guard let connection, soup_websocket_connection_get_state(connection) == SOUP_WEBSOCKET_STATE_OPEN else { return }
    // Control frames carry at most 125 bytes (RFC 6455 section 5.5).
    let short = String(decoding: Array(reason.utf8.prefix(120)), as: UTF8.self)
    soup_websocket_connection_close(connection, UInt16(clamping: code), short)
  }

  fileprivate func received(_ type: Int32, _ bytes: OpaquePointer?) {
    guard let handlers else { return }
    guard type == Int32(SOUP_WEBSOCKET_DATA_TEXT.rawValue), let text = text(of: bytes) else {
      return closeNow(1_003, "Only texts are understood here.")
    }
    receivableByteCount = nil
    handlers.onText(text)
  }

  fileprivate func closed() {
    guard let connection else { return }
    self.connection = nil
    g_object_unref(UnsafeMutableRawPointer(connection))
    finish()
  }

  private func finish() {
    let handlers = handlers
    self.handlers = nil
    handlers?.onClosed()
    onEnded(id)
  }
}

private let messageHandler: @convention(c) (OpaquePointer?, Int32, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
  _, type, bytes, data in
  guard let data else { return }
  Unmanaged<WebSocketServerConnection>.fromOpaque(data).takeUnretainedValue().received(type, bytes)
}

private let closedHandler: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, data in
  guard let data else { return }
  let connection = Unmanaged<WebSocketServerConnection>.fromOpaque(data).takeUnretainedValue()
  connection.closed()
}
