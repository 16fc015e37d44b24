import LinuxIO
import MediaBase
import OpenSSLTLS
import WebSocketWire

/// A connection whose request has not come whole: reads up to the empty line, and then hands the connection on. Touched on
/// the server's thread only.
final class IncomingConnection {
  let id: UInt64
  let remoteAddress: TransportAddress
  let beginTime: MediaInstant
  let network: ClientNetwork
  private let socket: ClientSocket
  private unowned let core: HTTPServerCore
  private let limits: HTTPLimits
  private var received: [UInt8] = []
  private var unsent: [UInt8] = []
  private var isWatchingWriting = false
  /// Whether the connection has ended, or is somebody else's.
  private var isDone = false
  /// Bytes that may still come after the connection has been refused.
  private var unwantedByteCount: Int?

  /// How long someone who has been refused may take to read it and to go.
  private static let lingerMilliseconds: UInt32 = 2_000

  init(
    id: UInt64, socket: ClientSocket, remoteAddress: TransportAddress, now: MediaInstant, core: HTTPServerCore,
    limits: HTTPLimits
  ) {
    self.id = id
    self.socket = socket
    self.remoteAddress = remoteAddress
    network = ClientNetwork(remoteAddress)
    beginTime = now
    self.core = core
    self.limits = limits
  }

  func begin() {
    guard core.loop.events.add(fileDescriptor: socket.fileDescriptor, { [self] in socketIsReady() }) else {
      return end()
    }
  }

  private func socketIsReady() {
    if !unsent.isEmpty { send() }
    read()
    guard !isDone else { return }
    let wanted = socket.waitsForWriting(hasUnsent: !unsent.isEmpty)
    guard wanted != isWatchingWriting else { return }
    isWatchingWriting = wanted
    core.loop.events.watchWriting(fileDescriptor: socket.fileDescriptor, wanted)
  }

  private func read() {
    let buffer = core.readBuffer
    switch socket.read(into: buffer) {
    case .wouldBlock: return
    case .ended: end()
    case .bytes(let count):
      if let unwanted = unwantedByteCount {
        unwantedByteCount = unwanted - count
        // Who sends on waits for the end.
        if unwanted < count { core.loop.events.remove(fileDescriptor: socket.fileDescriptor) }
        return
      }
      let before = received.count
      received.append(contentsOf: buffer[..<count])
      if let headEnd = HTTPRequestHead.end(in: received, from: before), headEnd <= limits.headByteCount {
        take(headEnd)
      } else if received.count > limits.headByteCount {
        refuse(
          WebSocketAnswer.bytes(
            431, "Request Header Fields Too Large", "The header fields have more than \(limits.headByteCount) bytes."))
      }
    }
  }

  /// The request's line and header fields are there.
  private func take(_ headEnd: Int) {
    if core.hasTooMany(network) {
      return refuse(
        WebSocketAnswer.bytes(
          429, "Too Many Requests", "Your address has too many connections; end some of them.", ["Retry-After: 10"]))
    }
    guard !HTTPRequestHead.hasTooManyFields(received[..<headEnd]) else {
      return refuse(
        WebSocketAnswer.bytes(
          431, "Request Header Fields Too Large",
          "There are more than \(HTTPRequestHead.maximumFieldCount) header fields."))
    }
    guard let head = HTTPRequestHead(parsing: received[..<headEnd]) else {
      return refuse(WebSocketAnswer.bytes(400, "Bad Request", "This is no request of HTTP/1.1."))
    }
    if let problem = head.contentProblem { return refuse(WebSocketAnswer.bytes(400, "Bad Request", problem)) }
    if head.contentLength ?? 0 > limits.unwantedByteCount {
      return refuse(WebSocketAnswer.bytes(413, "Content Too Large", "So much content is never taken here."))
    }
    guard let onConnect = core.webSocket(at: head.path) else {
      // libsoup would say nothing of it.
      if let problem = head.targetProblem { return refuse(WebSocketAnswer.bytes(400, "Bad Request", problem)) }
      isDone = true
      core.loop.events.remove(fileDescriptor: socket.fileDescriptor)
      return core.handOver(self, socket, received)
    }
    do throws(WebSocketUpgrade.Refusal) {
      let upgrade = try WebSocketUpgrade(head)
      isDone = core.open(self, socket, upgrade, rest: received[headEnd...], onConnect)
      if !isDone {
        refuse(WebSocketAnswer.bytes(503, "Service Unavailable", "The server is full; try again later."))
      }
    } catch {
      refuse(WebSocketAnswer.refusing(error))
    }
  }

  /// The request has not come in time.
  func isLate() {
    guard unwantedByteCount == nil, !received.isEmpty else { return end() }
    refuse(WebSocketAnswer.bytes(408, "Request Timeout", "The request did not come in time."))
  }

  /// Answers, and lets the client read that: closing at once, with bytes unread, could take it away again.
  private func refuse(_ answer: [UInt8]) {
    guard unwantedByteCount == nil else { return }
    received = []
    unwantedByteCount = HTTPLimits.lingerByteCount
    unsent = answer
    send()
    core.loop.post(afterMilliseconds: Self.lingerMilliseconds) { [weak core, id] in core?.endIncoming(id) }
  }

  private func send() {
    switch unsent.withUnsafeBytes({ socket.write($0) }) {
    case .bytes(let count): unsent.removeFirst(count)
    case .wouldBlock: return
    case .ended: unsent = []
    }
    if unsent.isEmpty { socket.endWriting() }
  }

  /// Lets the connection go.
  func end() {
    guard !isDone else { return }
    isDone = true
    core.loop.events.remove(fileDescriptor: socket.fileDescriptor)
    socket.close()
    core.hasEnded(self)
  }
}
