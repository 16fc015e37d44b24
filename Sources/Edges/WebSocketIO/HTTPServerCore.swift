import LinuxIO
import MediaBase
import OpenSSLTLS
import WebSocketWire

/// The part of a server that lives on the loop's thread: accepts connections, reads the head of their request, and keeps
/// those that become WebSockets. Others go to libsoup, which has a thread of its own.
///
/// One thread waits for all connections by epoll, so that idle ones cost it nothing; libsoup's loop looks at each of its
/// connections whenever anything happens.
final class HTTPServerCore: @unchecked Sendable {
  // @unchecked: touched on the loop's thread only.

  typealias OnConnect = @Sendable (WebSocketServerConnection) -> WebSocketServerConnection.Handlers?

  unowned let loop: ServerLoop
  /// For whoever is just reading.
  let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  /// For whoever is just writing.
  var writeBuffer: [UInt8] = []
  private let limits: HTTPLimits
  private let requests: SoupRequests
  private var identity: TLSIdentity?
  private var listener: TCPListener?
  private var webSockets: [String: OnConnect] = [:]
  private var incoming: [UInt64: IncomingConnection] = [:]
  /// Those that were accepted, in that order, to find who is late.
  private var arrivals = ArrivalQueue()
  /// Open WebSockets by number; a part of them is looked after at a time.
  private var connections: [[UInt64: WebSocketServerConnection]]
  /// Bytes that wait on WebSockets.
  private var waiting = HoldingTable<UInt64>()
  private var watchCount = 0
  private var connectionCount: UInt64 = 0
  private var openCount = 0
  private var counts: [ClientNetwork: Int] = [:]

  /// Each connection is looked after once in so many turns of so many milliseconds.
  private static let watchTurns = 10
  private static let watchInterval: UInt32 = 100
  /// Connections that wait to be accepted.
  private static let backlog: Int32 = 4_096
  /// Connections of an address beyond its limit that are told so; further ones are closed at once.
  private static let toldCount = 64

  init(loop: ServerLoop, requests: SoupRequests, limits: HTTPLimits) {
    self.loop = loop
    self.requests = requests
    self.limits = limits
    connections = Array(repeating: [:], count: Self.watchTurns)
  }

  deinit { readBuffer.deallocate() }

  func listen(host: String, port: UInt16, tls: TLSFiles?) -> Result<UInt16, HTTPServerError> {
    guard let address = TransportAddress(host: host, port: port) else { return .failure(.badAddress(host: host)) }
    do throws(HTTPServerError) {
      identity = if let tls { try TLSIdentity(tls) } else { nil }
      let listener: TCPListener
      do throws(TCPListenerError) {
        listener = try TCPListener(address, backlog: Self.backlog)
      } catch {
        throw HTTPServerError(error, host: host, port: port)
      }
      self.listener = listener
      beginAccepting()
      repeatEvery(Self.watchInterval) { [weak self] in self?.watch() }
      return .success(listener.boundPort)
    } catch {
      return .failure(error)
    }
  }

  func addWebSocket(_ path: String, _ onConnect: @escaping OnConnect) { webSockets[path] = onConnect }

  func webSocket(at path: Substring) -> OnConnect? { webSockets[String(path)] }

  func repeatEvery(_ milliseconds: UInt32, _ body: @escaping @Sendable () -> Void) {
    guard listener != nil else { return }
    body()
    loop.post(afterMilliseconds: milliseconds) { [weak self] in self?.repeatEvery(milliseconds, body) }
  }

  /// Looks after a part of the connections.
  private func watch() {
    let now = MonotonicClock.now()
    watchCount = (watchCount + 1) % Self.watchTurns
    if watchCount == 0 { identity?.refresh() }
    while let id = arrivals.popFirst(before: now - limits.requestTimeout) { incoming[id]?.isLate() }
    for connection in connections[watchCount].values { connection.check(now: now) }
  }

  // MARK: accepting

  private func beginAccepting() {
    guard let listener else { return }
    loop.events.add(fileDescriptor: listener.fileDescriptor) { [unowned self] in accept() }
  }

  private func accept() {
    for _ in 0..<64 {
      switch listener?.acceptConnection() {
      case .descriptor(let descriptor, let remote): begin(descriptor, remote)
      case .exhausted: return rest()
      case .some(.none), nil: return
      }
    }
  }

  /// There is no descriptor left: the connections go on waiting, and so do we.
  private func rest() {
    guard let listener else { return }
    loop.events.remove(fileDescriptor: listener.fileDescriptor)
    loop.post(afterMilliseconds: 100) { [weak self] in self?.beginAccepting() }
  }

  private func begin(_ descriptor: Int32, _ remote: TransportAddress) {
    let session = identity?.context.makeSession(fileDescriptor: descriptor)
    let socket = ClientSocket(fileDescriptor: descriptor, session: session)
    let network = ClientNetwork(remote)
    let (most, isOver) = limits.connectionCountPerAddress.addingReportingOverflow(Self.toldCount)
    guard openCount < limits.connectionCount, isOver || counts[network, default: 0] < most,
      identity == nil || session != nil
    else { return socket.close() }
    connectionCount += 1
    openCount += 1
    counts[network, default: 0] += 1
    let now = MonotonicClock.now()
    let connection = IncomingConnection(
      id: connectionCount, socket: socket, remoteAddress: remote, now: now, core: self, limits: limits)
    incoming[connection.id] = connection
    arrivals.append(connection.id, now)
    connection.begin()
  }

  /// Whether an address has more connections than it may.
  func hasTooMany(_ network: ClientNetwork) -> Bool {
    counts[network, default: 0] > limits.connectionCountPerAddress
  }

  private func release(_ network: ClientNetwork) {
    openCount -= 1
    guard let count = counts[network] else { return }
    counts[network] = count > 1 ? count - 1 : nil
  }

  // MARK: what becomes of connections

  /// A request opens a WebSocket; `false` if its owner does not want it.
  func open(
    _ connection: IncomingConnection, _ socket: ClientSocket, _ upgrade: WebSocketUpgrade, rest: ArraySlice<UInt8>,
    _ onConnect: OnConnect
  ) -> Bool {
    let opened = WebSocketServerConnection(
      id: connection.id, socket: socket, remoteAddress: connection.remoteAddress, core: self, limits: limits,
      now: MonotonicClock.now())
    guard let handlers = onConnect(opened) else {
      opened.state = .ended
      return false
    }
    incoming[connection.id] = nil
    connections[Int(opened.id % UInt64(Self.watchTurns))][opened.id] = opened
    opened.begin(handlers, answer: WebSocketAnswer.accepting(upgrade), rest: rest)
    return true
  }

  /// A request wants something else: libsoup reads it, from its first byte, and answers.
  func handOver(_ connection: IncomingConnection, _ socket: ClientSocket, _ received: [UInt8]) {
    incoming[connection.id] = nil
    let (descriptor, session) = socket.release()
    let network = connection.network
    requests.take(
      SoupRequests.Begun(
        fileDescriptor: descriptor, session: session, received: received, beginTime: connection.beginTime,
        onEnd: { [weak self] in self?.loop.post { [weak self] in self?.release(network) } }))
  }

  func endIncoming(_ id: UInt64) { incoming[id]?.end() }

  func hasEnded(_ connection: IncomingConnection) {
    incoming[connection.id] = nil
    release(connection.network)
  }

  /// Says how many bytes wait on a WebSocket now. If too many do on all together, those go on which most wait: others are not to
  /// suffer for them.
  func note(_ byteCount: Int, on id: UInt64) {
    waiting.set(id, byteCount)
    while waiting.total > limits.waitingByteCountOfAll, let largest = waiting.largest {
      waiting.set(largest, 0)
      connections[Int(largest % UInt64(Self.watchTurns))][largest]?.endSoon()
    }
  }

  func hasEnded(_ connection: WebSocketServerConnection) {
    waiting.set(connection.id, 0)
    let part = Int(connection.id % UInt64(Self.watchTurns))
    if connections[part].removeValue(forKey: connection.id) != nil { release(connection.network) }
  }

  func stop() {
    guard let listener else { return }
    loop.events.remove(fileDescriptor: listener.fileDescriptor)
    listener.close()
    self.listener = nil
    for connection in incoming.values { connection.end() }
    for part in connections { for connection in part.values { connection.end() } }
    webSockets = [:]
  }
}
