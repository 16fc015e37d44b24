import CSoup
import LinuxIO
import MediaBase
import Synchronization

/// The part of a client that lives on the loop's thread.
final class WebSocketClientConnection: @unchecked Sendable {
  // @unchecked: everything but `isSilent` is touched on the loop's thread only.

  /// How long the server may take to agree to the end.
  static let closeTimeoutMilliseconds: UInt32 = 1_000

  static let openTimeoutMilliseconds: UInt32 = 5_000

  /// How long the server may take to answer a ping when this machine has got another address beside the connection's.
  static let probeTimeoutMilliseconds: UInt32 = 4_000

  private let url: String
  private let trustedCertificates: String?
  private let longestSilence: MediaDuration
  private let onEvent: @Sendable (WebSocketEvent) -> Void
  private let isSilent = Atomic(false)
  /// Keeps the thread until the connection has ended, whoever lets go of the client.
  var loop: GLibLoop?
  private var session: OpaquePointer?
  private var cancellable: UnsafeMutablePointer<GCancellable>?
  private(set) var connection: OpaquePointer?
  private(set) var hasEnded = false
  private var hasTimedOut = false
  private var closeCode: Int?
  /// When the server was heard last.
  private var hearTime = MediaInstant.zero
  /// The handshake, while it lasts.
  private var message: OpaquePointer?

  // Addresses (WebSocketClientConnection+Networks).
  /// Those of this machine when the connection was begun.
  var addresses: Set<TransportAddress> = []
  /// The server's, and which of this machine's the connection belongs to.
  var server: TransportAddress?
  var source: TransportAddress?
  var restartsOpening = false
  /// Whether it is being found out if the server can still be reached.
  var isProbing = false
  var probeCount = 0

  /// - Parameter silence: after so long without anything, not even an answer to a ping, the server counts as gone.
  init(
    url: String, trustedCertificates: String?, silence: MediaDuration, loop: GLibLoop,
    onEvent: @escaping @Sendable (WebSocketEvent) -> Void
  ) {
    self.url = url
    self.trustedCertificates = trustedCertificates
    longestSilence = silence
    self.loop = loop
    self.onEvent = onEvent
  }

  /// libsoup's own for addresses (`SOUP_HTTP_URI_FLAGS`).
  private static let uriFlags = GUriFlags(
    rawValue: G_URI_FLAGS_HAS_PASSWORD.rawValue | G_URI_FLAGS_ENCODED_PATH.rawValue
      | G_URI_FLAGS_ENCODED_QUERY.rawValue | G_URI_FLAGS_ENCODED_FRAGMENT.rawValue
      | G_URI_FLAGS_SCHEME_NORMALIZE.rawValue)

  /// The request that asks for a WebSocket; nil if this is no address of one.
  static func message(for url: String) -> OpaquePointer? {
    // GLib takes blanks within a host.
    guard url.hasPrefix("ws://") || url.hasPrefix("wss://"), url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      let address = g_uri_parse(url, uriFlags, nil)
    else { return nil }
    defer { g_uri_unref(address) }
    // Without a host libsoup complains on standard error, or makes a request that can go nowhere.
    guard let host = g_uri_get_host(address), host.pointee != 0 else { return nil }
    return soup_message_new_from_uri("GET", address)
  }

  /// No further events.
  func silence() { isSilent.store(true, ordering: .relaxed) }

  func open() {
    if !hasEnded, let loop { loop.networks.add(self, of: loop) }
    guard let message = Self.message(for: url) else { return end(.failed(.invalidURL(url))) }
    defer { g_object_unref(UnsafeMutableRawPointer(message)) }
    guard !hasEnded, let session = g_object_new_with_properties(soup_session_get_type(), 0, nil, nil) else { return }
    self.session = OpaquePointer(session)
    // Proxies are asked of the desktop's settings, with threads and descriptors of their own: not for a server next door.
    soup_session_set_proxy_resolver(UnsafeMutablePointer(OpaquePointer(session)), nil)
    if let trustedCertificates, let error = trust(trustedCertificates, session) {
      return end(.failed(error))
    }
    connect(message)
  }

  private func connect(_ message: OpaquePointer) {
    addresses = InterfaceAddress.usable()
    self.message = message
    g_object_ref(UnsafeMutableRawPointer(message))
    cancellable = g_cancellable_new()
    let data = Unmanaged.passRetained(self).toOpaque()
    soup_session_websocket_connect_async(
      session.map { UnsafeMutablePointer($0) }, message, nil, nil, 0, cancellable, finishConnecting, data)
  }

  /// Begins anew to connect; the time for it goes on.
  private func connectAgain() {
    restartsOpening = false
    if let cancellable { g_object_unref(UnsafeMutableRawPointer(cancellable)) }
    cancellable = nil
    guard let message = Self.message(for: url) else { return end(.failed(.invalidURL(url))) }
    connect(message)
    g_object_unref(UnsafeMutableRawPointer(message))
  }

  /// Ends an attempt to connect; `finish` hears of it.
  func cancelOpening() {
    if let cancellable { g_cancellable_cancel(cancellable) }
  }

  private func trust(_ file: String, _ session: gpointer) -> WebSocketError? {
    var error: UnsafeMutablePointer<GError>?
    guard let database = g_tls_file_database_new(file, &error) else {
      return .badCertificates(file: file, detail: take(error).message)
    }
    soup_session_set_tls_database(UnsafeMutablePointer(OpaquePointer(session)), database)
    g_object_unref(UnsafeMutableRawPointer(database))
    return nil
  }

  func giveUpOpening() {
    guard connection == nil, !hasEnded, let cancellable else { return }
    hasTimedOut = true
    restartsOpening = false
    g_cancellable_cancel(cancellable)
  }

  func send(_ text: String) {
    guard let connection, soup_websocket_connection_get_state(connection) == SOUP_WEBSOCKET_STATE_OPEN else { return }
    soup_websocket_connection_send_text(connection, text)
  }

  func close(code: Int) {
    closeCode = code
    loop?.post(afterMilliseconds: Self.closeTimeoutMilliseconds) { [weak self] in self?.end(.closed(code, "")) }
    if let connection {
      if soup_websocket_connection_get_state(connection) == SOUP_WEBSOCKET_STATE_OPEN {
        soup_websocket_connection_close(connection, UInt16(clamping: code), nil)
      }
    } else if let cancellable {
      g_cancellable_cancel(cancellable)
    } else {
      end(.closed(code, ""))
    }
  }

  fileprivate func finish(_ result: OpaquePointer?) {
    var error: UnsafeMutablePointer<GError>?
    let opened = soup_session_websocket_connect_finish(session.map { UnsafeMutablePointer($0) }, result, &error)
    noteServer(message.flatMap { soup_message_get_remote_address($0) })
    if let message { g_object_unref(UnsafeMutableRawPointer(message)) }
    message = nil
    guard let opened else { return fail(error) }
    guard !hasEnded, closeCode == nil else {
      soup_websocket_connection_close(opened, 1_001, nil)
      g_object_unref(UnsafeMutableRawPointer(opened))
      return end(.closed(closeCode ?? 1_001, ""))
    }
    guard !restartsOpening else {
      g_object_unref(UnsafeMutableRawPointer(opened))
      return connectAgain()
    }
    connection = opened
    soup_websocket_connection_set_max_incoming_payload_size(opened, guint64(WebSocketClient.maximumMessageByteCount))
    connectSignal(opened, "message", unsafeBitCast(messageHandler, to: GCallback.self), keeping: self)
    connectSignal(opened, "closed", unsafeBitCast(closedHandler, to: GCallback.self), keeping: self)
    connectSignal(opened, "pong", unsafeBitCast(pongHandler, to: GCallback.self), keeping: self)
    setPingInterval()
    heard()
    watch()
    report(.opened)
  }

  fileprivate func heard() { hearTime = MonotonicClock.now() }

  fileprivate func heardPong() {
    heard()
    guard isProbing else { return }
    isProbing = false
    setPingInterval()
  }

  /// A server that is only looked after is asked three times before it counts as gone; one that is doubted, every second.
  func setPingInterval() {
    guard let connection else { return }
    soup_websocket_connection_set_keepalive_interval(
      connection, isProbing ? 1 : guint(clamping: max(longestSilence.milliseconds / 3_000, 1)))
  }

  /// Nobody says that a network has gone: it shows in pings that are not answered.
  private func watch() {
    guard connection != nil else { return }
    let left = longestSilence - (MonotonicClock.now() - hearTime)
    guard left > .zero else { return end(.closed(1_006, "The server is not heard any more.")) }
    loop?.post(afterMilliseconds: guint(clamping: left.milliseconds + 1)) { [weak self] in self?.watch() }
  }

  private func fail(_ error: UnsafeMutablePointer<GError>?) {
    let (domain, code, message) = take(error)
    if let closeCode { return end(.closed(closeCode, "")) }
    if restartsOpening, !hasEnded { return connectAgain() }
    end(.failed(reason(domain, code, message)))
  }

  private func reason(_ domain: GQuark, _ code: Int32, _ message: String) -> WebSocketError {
    if hasTimedOut { return .timedOut(url: url) }
    if domain == g_resolver_error_quark() { return .hostNotFound(url: url) }
    if domain == soup_websocket_error_quark() { return .notWebSocket(url: url, detail: message) }
    if domain == g_tls_error_quark() { return .notTrusted(url: url, detail: message) }
    guard domain == g_io_error_quark() else { return .system(url: url, detail: message) }
    switch GIOErrorEnum(UInt32(bitPattern: code)) {
    case G_IO_ERROR_CONNECTION_REFUSED: return .refused(url: url)
    case G_IO_ERROR_TIMED_OUT: return .timedOut(url: url)
    case G_IO_ERROR_HOST_NOT_FOUND: return .hostNotFound(url: url)
    default: return .system(url: url, detail: message)
    }
  }

  fileprivate func received(_ type: Int32, _ bytes: OpaquePointer?) {
    heard()
    guard type == Int32(SOUP_WEBSOCKET_DATA_TEXT.rawValue), let text = text(of: bytes) else { return }
    report(.text(text))
  }

  fileprivate func closed() {
    guard let connection else { return }
    let code = Int(soup_websocket_connection_get_close_code(connection))
    let reason = soup_websocket_connection_get_close_data(connection).map { String(cString: $0) } ?? ""
    end(.closed(code == 0 ? closeCode ?? 1_006 : code, reason))
  }

  private func report(_ event: WebSocketEvent) {
    if !isSilent.load(ordering: .relaxed) { onEvent(event) }
  }

  func end(_ event: WebSocketEvent) {
    guard !hasEnded else { return }
    hasEnded = true
    loop?.networks.remove(self)
    // Freeing the connection drops the signal handlers' references to this object; it must last until the end of the call.
    withExtendedLifetime(self) {
      if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
      if let cancellable { g_object_unref(UnsafeMutableRawPointer(cancellable)) }
      if let session {
        soup_session_abort(UnsafeMutablePointer(session))
        g_object_unref(UnsafeMutableRawPointer(session))
      }
      (connection, cancellable, session) = (nil, nil, nil)
      report(event)
      loop = nil
    }
  }
}

private func finishConnecting(
  _ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) {
  guard let data else { return }
  Unmanaged<WebSocketClientConnection>.fromOpaque(data).takeRetainedValue().finish(result)
}

private let messageHandler: @convention(c) (OpaquePointer?, Int32, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
  _, type, bytes, data in
  guard let data else { return }
  Unmanaged<WebSocketClientConnection>.fromOpaque(data).takeUnretainedValue().received(type, bytes)
}

private let pongHandler: @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
  _, _, data in
  guard let data else { return }
  Unmanaged<WebSocketClientConnection>.fromOpaque(data).takeUnretainedValue().heardPong()
}

private let closedHandler: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, data in
  guard let data else { return }
  let connection = Unmanaged<WebSocketClientConnection>.fromOpaque(data).takeUnretainedValue()
  connection.closed()
}
