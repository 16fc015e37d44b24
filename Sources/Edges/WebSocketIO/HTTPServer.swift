public import OpenSSLTLS

/// An HTTP server with routes and WebSockets, with a thread of its own on which all handlers run. libsoup reads and answers
/// requests on a second one.
public final class HTTPServer: Sendable {
  /// The port it listens on: the one asked for, or the one that the system chose for 0.
  public let boundPort: UInt16
  private let loop: ServerLoop
  private let requests: SoupRequests
  private let core: HTTPServerCore

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - host: an IP address of this machine.
  ///   - port: 0 lets the system choose.
  ///   - limits: what it grants its clients.
  ///   - tls: for https and wss; without it, http and ws.
  public init(
    host: String, port: UInt16, limits: HTTPLimits = HTTPLimits(), tls: TLSFiles? = nil
  ) throws(HTTPServerError) {
    let loop = ServerLoop(name: "http")
    let requests = SoupRequests(loop: GLibLoop(name: "http-requests"), limits: limits)
    guard loop.isRunning, requests.loop.wait({ requests.begin() }) == true else {
      throw .system(host: host, port: port, detail: "the system gives no thread or no descriptors")
    }
    let core = HTTPServerCore(loop: loop, requests: requests, limits: limits)
    switch loop.wait({ core.listen(host: host, port: port, tls: tls) }) {
    case .success(let bound): boundPort = bound
    case .failure(let error): throw error
    case nil: throw .system(host: host, port: port, detail: "its thread has ended")
    }
    self.loop = loop
    self.requests = requests
    self.core = core
  }

  deinit { stop() }

  /// Answers GET requests for exactly `path`; `handler` runs on the server's thread.
  public func route(_ path: String, _ handler: @escaping @Sendable () -> HTTPResponse) {
    handle(path, maximumBodyByteCount: 0) { exchange in
      guard exchange.request.path == path else { return exchange.respond(.text(404, "There is nothing here.")) }
      guard ["GET", "HEAD"].contains(exchange.request.method) else {
        return exchange.respond(.text(405, "Only GET is understood here."))
      }
      exchange.respond(handler())
    }
  }

  /// Hands all requests at and below `path` to `handler`, which runs on the server's thread and answers there or later.
  ///
  /// - Parameters:
  ///   - maximumBodyByteCount: requests with longer content are refused (413), as are those that do not say how long it is
  ///     (411).
  ///   - refusalHeaders: header fields of these refusals.
  public func handle(
    _ path: String, maximumBodyByteCount: Int = 65_536, refusalHeaders: [(name: String, value: String)] = [],
    _ handler: @escaping @Sendable (HTTPExchange) -> Void
  ) {
    let (requests, loop) = (requests, loop)
    _ = requests.loop.wait {
      guard let server = requests.server else { return }
      HTTPRoute(
        maximumBodyByteCount: maximumBodyByteCount, refusalHeaders: refusalHeaders, loop: requests.loop,
        handlerLoop: loop, handler: handler
      ).attach(to: server, path: path)
    }
  }

  /// Accepts WebSockets at exactly `path`. `onConnect` runs on the server's thread; `nil` refuses the connection
  /// (503).
  public func webSocket(
    _ path: String,
    onConnect: @escaping @Sendable (WebSocketServerConnection) -> WebSocketServerConnection.Handlers?
  ) {
    let core = core
    _ = loop.wait { core.addWebSocket(path, onConnect) }
  }

  /// Does something on the server's thread, where the handlers run.
  public func post(_ body: @escaping @Sendable () -> Void) { loop.post(body) }

  /// Does something on the server's thread after a while.
  public func post(afterMilliseconds delay: UInt32, _ body: @escaping @Sendable () -> Void) {
    loop.post(afterMilliseconds: delay, body)
  }

  /// Does something on the server's thread again and again until the server stops.
  public func every(milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    let core = core
    loop.post { core.repeatEvery(UInt32(clamping: milliseconds), body) }
  }

  /// Stops listening and ends every connection. Returns when that is done; not to be called from a handler. Idempotent.
  public func stop() {
    let (core, requests) = (core, requests)
    if loop.isCurrent { core.stop() } else { _ = loop.wait { core.stop() } }
    if requests.loop.isCurrent { requests.stop() } else { _ = requests.loop.wait { requests.stop() } }
  }
}
