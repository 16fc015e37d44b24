import CSoup
import LinuxIO
import OpenSSLTLS

/// The part of a server that lives on the loop's thread.
final class HTTPServerCore: @unchecked Sendable {
  // @unchecked: touched on the loop's thread only.

  typealias OnConnect = @Sendable (WebSocketServerConnection) -> WebSocketServerConnection.Handlers?

  private weak var loop: GLibLoop?
  private let limits: HTTPLimits
  private var server: UnsafeMutablePointer<SoupServer>?
  private var listener: HTTPListener?
  private var connections: [UInt64: WebSocketServerConnection] = [:]
  private var connectionCount: UInt64 = 0

  /// How often connections are looked after.
  private static let watchInterval: UInt32 = 1_000

  init(loop: GLibLoop, limits: HTTPLimits) {
    self.loop = loop
    self.limits = limits
  }

  func listen(host: String, port: UInt16, tls: TLSFiles?) -> Result<UInt16, HTTPServerError> {
    guard let loop, let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil) else {
      return .failure(.system(host: host, port: port, detail: "libsoup could not make a server"))
    }
    let server = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
    do throws(HTTPServerError) {
      let identity: TLSIdentity? = if let tls { try TLSIdentity(tls) } else { nil }
      let listener = try HTTPListener(
        host: host, port: port, server: server, identity: identity, limits: limits, loop: loop)
      self.listener = listener
      self.server = server
      UnwantedContent.refuse(by: server, listener: listener, after: limits.unwantedByteCount)
      repeatEvery(Self.watchInterval) { [weak self] in self?.watch() }
      return .success(listener.boundPort)
    } catch {
      g_object_unref(UnsafeMutableRawPointer(server))
      return .failure(error)
    }
  }

  private func watch() {
    listener?.identity?.refresh()
    listener?.endLateConnections(now: MonotonicClock.now())
    for connection in connections.values { connection.checkReceived(within: Self.watchInterval) }
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

  fileprivate func accept(
    _ connection: OpaquePointer, by message: OpaquePointer, remoteHost: String, _ onConnect: OnConnect
  ) {
    guard let loop, let listener, let socket = listener.socket(of: message) else { return }
    listener.hasUpgraded(message)
    connectionCount += 1
    let id = connectionCount
    let accepted = WebSocketServerConnection(
      id: id, connection: connection, socket: socket, remoteHost: remoteHost, loop: loop,
      onEnded: { [weak self] id in self?.connections[id] = nil })
    guard let handlers = onConnect(accepted) else { return accepted.drop() }
    connections[id] = accepted
    accepted.begin(handlers, limits: limits)
  }

  func stop() {
    guard let server else { return }
    self.server = nil
    listener = nil
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
  route.core?.accept(connection, by: message, remoteHost: host, route.onConnect)
}
