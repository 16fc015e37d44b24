import ChannelServer
import ControlWire
import Glibc
import LinuxIO
import MediaBase
import Synchronization
import TestSupport
import Testing
import WebSocketIO
import WebSocketWire

/// A user who sends as fast as a connection takes it, and what it is told.
private final class Flooder: Sendable {
  struct Outcome: Sendable {
    var sentCount = 0
    var texts: [String] = []
    var closeCode: WebSocketCloseCode?
  }

  private let outcome = Mutex(Outcome())
  private let threads: Mutex<[WorkerThread]> = Mutex([])

  /// Logs in, and sends `count` texts to `receiver`.
  init(port: UInt16, uid: UInt, to receiver: UInt, count: Int) {
    let socket = LoopbackTCP.connect(port: port)
    let writer = WorkerThread(name: "flood-write") { [self] in write(socket, uid, receiver, count) }
    let reader = WorkerThread(name: "flood-read") { [self] in read(socket) }
    threads.withLock { $0 = [writer, reader] }
  }

  /// Waits until the server has ended the connection.
  func finish() -> Outcome {
    for thread in threads.withLock({ $0 }) { thread.join() }
    return outcome.withLock { $0 }
  }

  private func write(_ socket: Int32, _ uid: UInt, _ receiver: UInt, _ count: Int) {
    let request =
      "GET \(ControlProtocol.signalPath) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    var bytes = Array(request.utf8)
    WebSocketFrame.appendText(
      #"{"type":"login","version":1,"uid":\#(uid),"token":""}"#, maskingKey: 0x1234_5678, to: &bytes)
    for number in 0..<count {
      WebSocketFrame.appendText(
        #"{"type":"send","requestID":\#(number + 1),"to":\#(receiver),"message":"flood \#(number)"}"#,
        maskingKey: 0x1234_5678, to: &bytes)
      guard bytes.count > 60_000 || number == count - 1 else { continue }
      guard LoopbackTCP.send(bytes, on: socket) else { return }
      outcome.withLock { $0.sentCount = number + 1 }
      bytes.removeAll(keepingCapacity: true)
    }
  }

  private func read(_ socket: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var head: [UInt8]? = []
    var receiver = WebSocketReceiver(from: .server, maximumMessageByteCount: 1 << 20)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      var bytes = Array(buffer[..<count])
      if let known = head {
        let all = known + bytes
        guard let end = HTTPRequestHead.end(in: all) else {
          head = all
          continue
        }
        head = nil
        bytes = Array(all[end...])
      }
      bytes.withUnsafeMutableBytes { bytes in
        try? receiver.receive(bytes, now: .zero) { event in
          outcome.withLock { outcome in
            switch event {
            case .text(let text): outcome.texts.append(text)
            case .close(let code, _): outcome.closeCode = code
            default: break
            }
          }
        }
      }
    }
    close(socket)
  }
}

@Suite("A user who sends without end", .timeLimit(.minutes(10)), .ownThread)
struct FloodTests {
  private func user(_ uid: UInt, of server: ChannelServer) -> ControlPeer {
    let peer = ControlPeer("ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.signalPath)")
    peer.send(.login(LoginRequest(uid: uid)))
    #expect(peer.getsSignal { if case .loggedIn = $0 { true } else { false } })
    return peer
  }

  private func texts(_ peer: ControlPeer, from uid: UInt) -> [String] {
    peer.log.compactMap { text in
      guard case .message(let message)? = try? ControlMessageCoding.decode(SignalResponse.self, from: text),
        message.from == uid
      else { return nil }
      return message.message
    }
  }

  @Test("it is told why and closed, again and again; others get everything, in order")
  func flood() throws {
    let server = ChannelServer(
      configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
    let (one, two, target) = (user(1, of: server), user(2, of: server), user(3, of: server))
    var (sent, number) = (0, 0)
    for round in 0..<3 {
      let flooder = Flooder(port: server.boundHTTPPort, uid: 9, to: 3, count: 200_000)
      for _ in 0..<50 {
        number += 1
        one.send(.send(SendRequest(requestID: number, to: 2, message: "text \(number)")))
      }
      let outcome = flooder.finish()
      sent += outcome.sentCount
      let error = outcome.texts.compactMap { text -> ErrorResponse? in
        if case .error(let error)? = try? ControlMessageCoding.decode(SignalResponse.self, from: text) {
          error
        } else {
          nil
        }
      }.last
      #expect(
        error?.code == .resourceLimited && error?.message.hasPrefix("Too many messages") == true, "round \(round)")
      #expect(outcome.closeCode == .policyViolation && outcome.sentCount < 200_000)
    }
    #expect(two.has { $0.contains("text 150") })
    #expect(texts(two, from: 1) == (1...150).map { "text \($0)" })
    let arrived = texts(target, from: 9)
    // 200 in a row, and what is earned back in the seconds that this takes: logging in again gives no more.
    #expect(
      arrived.count >= 190 && arrived.count < 190 + 50 * 100 && sent > 10 * arrived.count, "\(sent), \(arrived.count)")
    #expect(arrived.first == "flood 0")
  }

  @Test("sockets opened beforehand for one user send no more together than one does")
  func preparedSockets() throws {
    let server = ChannelServer(
      configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
    let target = user(3, of: server)
    let url = "ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.signalPath)"
    let sockets = (0..<20).map { _ in ControlPeer(url) }
    let start = MonotonicClock.now()
    var number = 0
    for socket in sockets {
      socket.send(.login(LoginRequest(uid: 9)))
      #expect(socket.getsSignal { if case .loggedIn = $0 { true } else { false } })
      for _ in 0..<150 {
        number += 1
        socket.send(.send(SendRequest(requestID: number, to: 3, message: "text \(number)")))
      }
    }
    let isRefused = sockets.last?.getsSignal { response in
      if case .error(let error) = response { error.code == .resourceLimited } else { false }
    }
    #expect(isRefused == true)
    // 200 in a row, and 50 for each second that this took, however long that was.
    let seconds = (MonotonicClock.now() - start).seconds
    let arrived = texts(target, from: 9).count
    #expect(Double(arrived) <= 200 + 50 * seconds + 1, "\(arrived) in \(seconds) s")
    #expect(arrived >= 100)
  }
}
