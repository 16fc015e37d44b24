import CSoup

/// The part of a server that lives on the loop's thread.
final class HTTPServerCore: @unchecked Sendable {
  // @unchecked: touched on the loop's thread only.

  typealias OnConnect = @Sendable (WebSocketServerConnection) -> WebSocketServerConnection.Handlers?

  private weak var loop: GLibLoop?
  private let maximumMessageByteCount: Int
  private let keepaliveSeconds: UInt32
  private var server: UnsafeMutablePointer<SoupServer>?
  private var connections: [UInt64: WebSocketServerConnection] = [:]
  private var connectionCount: UInt64 = 0

  init(loop: GLibLoop, maximumMessageByteCount: Int, keepaliveSeconds: UInt32) {
    self.loop = loop
    self.maximumMessageByteCount = maximumMessageByteCount
    self.keepaliveSeconds = keepaliveSeconds
  }

  func listen(host: String, port: UInt16) -> Result<UInt16, HTTPServerError> {
    guard let address = g_inet_socket_address_new_from_string(host, UInt32(port)) else {
      return .failure(.badAddress(host: host))
    }
    defer { g_object_unref(UnsafeMutableRawPointer(address)) }
    guard let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil) else {
      return .failure(.system(host: host, port: port, detail: "libsoup could not make a server"))
    }
    let server = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
    var error: UnsafeMutablePointer<GError>?
    guard soup_server_listen(server, address, SoupServerListenOptions(0), &error) != 0 else {
      g_object_unref(UnsafeMutableRawPointer(server))
      return .failure(Self.reason(take(error), host: host, port: port))
    }
    self.server = server
    return .success(Self.boundPort(of: server) ?? port)
  }

  private static func reason(
    _ error: (domain: GQuark, code: Int32, message: String), host: String, port: UInt16
  ) -> HTTPServerError {
    guard error.domain == g_io_error_quark() else { return .system(host: host, port: port, detail: error.message) }
    switch GIOErrorEnum(UInt32(bitPattern: error.code)) {
    case G_IO_ERROR_ADDRESS_IN_USE: return .portInUse(host: host, port: port)
    case G_IO_ERROR_PERMISSION_DENIED: return .noPermission(host: host, port: port)
    default:
      // GLib has no code of its own for EADDRNOTAVAIL.
      return error.message.contains("annot assign")
        ? .addressNotAvailable(host: host) : .system(host: host, port: port, detail: error.message)
    }
  }

  private static func boundPort(of server: UnsafeMutablePointer<SoupServer>) -> UInt16? {
    let uris = soup_server_get_uris(server)
    defer { g_slist_free_full(uris, freeURI) }
    guard let first = uris?.pointee.data else { return nil }
    return UInt16(exactly: g_uri_get_port(OpaquePointer(first)))
  }

  func addRoute(_ path: String, _ handler: @escaping @Sendable () -> HTTPResponse) {
    guard let server else { return }
    let box = Unmanaged.passRetained(Route(path: path, handler: handler)).toOpaque()
    soup_server_add_handler(server, path, answerRequest, box, freeRoute)
  }

  func addHandler(
    _ path: String, _ maximumBodyByteCount: Int, _ refusalHeaders: [(name: String, value: String)],
    _ handler: @escaping HTTPRoute.Handler
  ) {
    guard let server, let loop else { return }
    HTTPRoute(
      maximumBodyByteCount: maximumBodyByteCount, refusalHeaders: refusalHeaders, loop: loop, handler: handler
    ).attach(to: server, path: path)
  }

  func addWebSocket(_ path: String, _ onConnect: @escaping OnConnect) {
    guard let server else { return }
    let box = Unmanaged.passRetained(WebSocketRoute(path: path, core: self, onConnect: onConnect)).toOpaque()
    soup_server_add_websocket_handler(server, path, nil, nil, acceptWebSocket, box, freeWebSocketRoute)
  }

  func repeatEvery(_ milliseconds: UInt32, _ body: @escaping @Sendable () -> Void) {
    guard server != nil else { return }
    body()
    loop?.post(afterMilliseconds: milliseconds) { [weak self] in self?.repeatEvery(milliseconds, body) }
  }

  fileprivate func accept(_ connection: OpaquePointer, remoteHost: String, _ onConnect: OnConnect) {
    guard let loop, server != nil else { return }
    connectionCount += 1
    let id = connectionCount
    let accepted = WebSocketServerConnection(
      id: id, connection: connection, remoteHost: remoteHost, loop: loop,
      onEnded: { [weak self] id in self?.connections[id] = nil })
    guard let handlers = onConnect(accepted) else { return accepted.drop() }
    connections[id] = accepted
    accepted.begin(handlers, maximumMessageByteCount: maximumMessageByteCount, keepaliveSeconds: keepaliveSeconds)
  }

  func stop() {
    guard let server else { return }
    self.server = nil
    for connection in connections.values { connection.drop() }
    connections.removeAll()
    soup_server_disconnect(server)
    g_object_unref(UnsafeMutableRawPointer(server))
  }
}

private final class Route {
  let path: String
  let handler: @Sendable () -> HTTPResponse

  init(path: String, handler: @escaping @Sendable () -> HTTPResponse) {
    self.path = path
    self.handler = handler
  }
}

private final class WebSocketRoute {
  let path: String
  weak var core: HTTPServerCore?
  let onConnect: HTTPServerCore.OnConnect

  init(path: String, core: HTTPServerCore, onConnect: @escaping HTTPServerCore.OnConnect) {
    self.path = path
    self.core = core
    self.onConnect = onConnect
  }
}

private func freeURI(_ data: UnsafeMutableRawPointer?) {
  if let data { g_uri_unref(OpaquePointer(data)) }
}

private func freeRoute(_ data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<Route>.fromOpaque(data).release() }
}

private func freeWebSocketRoute(_ data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<WebSocketRoute>.fromOpaque(data).release() }
}

private func answerRequest(
  _ server: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ query: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) {
  guard let message, let path, let data else { return }
  let route = Unmanaged<Route>.fromOpaque(data).takeUnretainedValue()
  var response = HTTPResponse(status: 404, contentType: "text/plain", body: "There is nothing here.\n")
  if String(cString: path) == route.path {
    let method = soup_server_message_get_method(message).map { String(cString: $0) }
    response =
      method == "GET" || method == "HEAD"
      ? route.handler() : HTTPResponse(status: 405, contentType: "text/plain", body: "Only GET is understood here.\n")
  }
  HTTPExchange.answer(message, response)
}

private func acceptWebSocket(
  _ server: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ connection: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) {
  guard let message, let path, let connection, let data else { return }
  let route = Unmanaged<WebSocketRoute>.fromOpaque(data).takeUnretainedValue()
  guard String(cString: path) == route.path else {
    return soup_websocket_connection_close(connection, 4_404, "There is nothing at this path.")
  }
  let host = soup_server_message_get_remote_host(message).map { String(cString: $0) } ?? ""
  route.core?.accept(connection, remoteHost: host, route.onConnect)
}
