import LinuxIO
import MediaBase
import Synchronization
import TestSupport
import Testing

@testable import WebSocketIO

/// What has happened, to be waited for.
private final class Log: Sendable {
  private let entries = Mutex<[String]>([])

  var all: [String] { entries.withLock { $0 } }

  func note(_ entry: String) { entries.withLock { $0.append(entry) } }

  func note(_ event: WebSocketEvent) {
    switch event {
    case .opened: note("opened")
    case .text(let text): note("text \(text.prefix(40))")
    case .closed(let code, let reason): note("closed \(code) \(reason)")
    case .addressLost: note("address lost")
    case .failed(let error): note("failed \(error)")
    }
  }

  /// Waits long enough that only what never comes fails.
  func has(_ condition: ([String]) -> Bool) -> Bool {
    for _ in 0..<400 {
      if condition(all) { return true }
      MonotonicClock.sleep(for: .milliseconds(5))
    }
    return false
  }

  func has(_ entry: String) -> Bool { has { $0.contains(entry) } }
}

/// A server that sends every text back.
private func echoServer(_ log: Log = Log(), limits: HTTPLimits = HTTPLimits()) throws -> HTTPServer {
  var limits = limits
  limits.messageByteCount = 1_000
  let server = try HTTPServer(host: "127.0.0.1", port: 0, limits: limits)
  server.webSocket("/echo") { connection in
    log.note("connected \(connection.remoteHost)")
    return WebSocketServerConnection.Handlers(
      onText: { text in
        if text == "bye" { return connection.close(code: 4_001, reason: "as you wish") }
        connection.send(text: text)
      }, onClosed: { log.note("gone") })
  }
  server.route("/healthz") { HTTPResponse(body: "{\"ok\":true}") }
  return server
}

@Suite(.serialized, .ownThread) struct WebSocketIOTests {
  @Test func textsComeBackInOrderAndTheServerHearsOfTheEnd() throws {
    let (log, serverLog) = (Log(), Log())
    let server = try echoServer(serverLog)
    let client = WebSocketClient(url: "ws://127.0.0.1:\(server.boundPort)/echo") { log.note($0) }
    #expect(log.has("opened"))
    for number in 0..<200 { client.send(text: "ä \(number)") }
    #expect(log.has("text ä 199"))
    #expect(log.all == ["opened"] + (0..<200).map { "text ä \($0)" })
    client.close(code: 1_000)
    #expect(log.has { $0.last?.hasPrefix("closed 1000") ?? false })
    #expect(serverLog.has("gone"))
    #expect(serverLog.all.first == "connected 127.0.0.1")
  }

  @Test func serverClosesWithCodeAndReason() throws {
    let log = Log()
    let server = try echoServer()
    let client = WebSocketClient(url: "ws://127.0.0.1:\(server.boundPort)/echo") { log.note($0) }
    client.send(text: "dropped, for it is not open yet")
    #expect(log.has("opened"))
    client.send(text: "bye")
    #expect(log.has("closed 4001 as you wish"))
  }

  @Test func tooLongMessageEndsTheConnectionAndOthersGoOn() throws {
    let (log, other) = (Log(), Log())
    let server = try echoServer()
    let url = "ws://127.0.0.1:\(server.boundPort)/echo"
    let client = WebSocketClient(url: url) { log.note($0) }
    let bystander = WebSocketClient(url: url) { other.note($0) }
    #expect(log.has("opened") && other.has("opened"))
    client.send(text: String(repeating: "x", count: 5_000))
    // 1009, or 1006 when the rest of the message meets a socket that is closed already.
    #expect(log.has { $0.last?.hasPrefix("closed 10") ?? false }, "\(log.all)")
    bystander.send(text: "still here")
    #expect(other.has("text still here"))
  }

  @Test func absentServerWrongPathAndBadAddressesAreTold() throws {
    let server = try echoServer()
    let port = server.boundPort
    for (url, expected) in [
      ("ws://127.0.0.1:1/echo", "failed Nobody listens at"), ("http://127.0.0.1/", "failed 'http://127.0.0.1/' is not"),
      ("ws://127.0.0.1:\(port)/healthz", "failed ws://127.0.0.1:\(port)/healthz answers, but is not"),
      ("ws://no-such-host.invalid/", "failed The host of ws://no-such-host.invalid/ is not known"),
    ] {
      let log = Log()
      let client = WebSocketClient(url: url) { log.note($0) }
      #expect(log.has { !$0.isEmpty })
      #expect(log.all.count == 1 && log.all[0].hasPrefix(expected), "\(log.all)")
      withExtendedLifetime(client) {}
    }
  }

  @Test func usedPortAndBadAddressOfAServerAreTold() throws {
    let server = try echoServer()
    #expect(throws: HTTPServerError.portInUse(host: "127.0.0.1", port: server.boundPort)) {
      try HTTPServer(host: "127.0.0.1", port: server.boundPort)
    }
    #expect(throws: HTTPServerError.badAddress(host: "nowhere")) { try HTTPServer(host: "nowhere", port: 0) }
    #expect(throws: HTTPServerError.addressNotAvailable(host: "192.0.2.1")) {
      try HTTPServer(host: "192.0.2.1", port: 0)
    }
  }

  @Test func stoppedServerEndsItsConnections() throws {
    let log = Log()
    let server = try echoServer()
    let client = WebSocketClient(url: "ws://127.0.0.1:\(server.boundPort)/echo") { log.note($0) }
    #expect(log.has("opened"))
    server.stop()
    #expect(log.has { $0.last?.hasPrefix("closed") ?? false })
    withExtendedLifetime(client) {}
  }

  @Test func clientLetGoClosesItsConnectionSilently() throws {
    let (log, serverLog) = (Log(), Log())
    let server = try echoServer(serverLog)
    var client: WebSocketClient? = WebSocketClient(url: "ws://127.0.0.1:\(server.boundPort)/echo") { log.note($0) }
    #expect(log.has("opened"))
    withExtendedLifetime(client) {}
    client = nil
    #expect(serverLog.has("gone"))
    #expect(log.all == ["opened"])
  }

  @Test func serverThatIsNotHeardAnyMoreIsGone() throws {
    let log = Log()
    let server = try echoServer()
    let relay = FreezingRelay(to: server.boundPort)
    defer { relay.end() }
    let client = WebSocketClient(url: "ws://127.0.0.1:\(relay.port)/echo", silence: .milliseconds(3_000)) {
      log.note($0)
    }
    #expect(log.has("opened"))
    // Pings are answered: it stays open.
    MonotonicClock.sleep(for: .milliseconds(5_000))
    #expect(log.all == ["opened"])
    relay.freeze()
    for _ in 0..<20 where log.all.count < 2 { _ = log.has { $0.count > 1 } }
    #expect(log.all.last == "closed 1006 The server is not heard any more.")
    withExtendedLifetime(client) {}
  }

  @Test func nothingIsLeftOfClientsAndServers() throws {
    // Once beforehand: GLib keeps a worker and some descriptors for the process.
    try openAndClose()
    let before = ProcessStatistics.current()
    // Other tests of the process come and go meanwhile: what each round left would be more than what they have.
    let rounds = 60
    for _ in 0..<rounds { try openAndClose() }
    var after = ProcessStatistics.current()
    for _ in 0..<1_200
    where after.threadCount >= before.threadCount + rounds
      || after.fileDescriptorCount >= before.fileDescriptorCount + rounds
    {
      MonotonicClock.sleep(for: .milliseconds(50))
      after = ProcessStatistics.current()
    }
    #expect(after.threadCount < before.threadCount + rounds)
    #expect(after.fileDescriptorCount < before.fileDescriptorCount + rounds)
  }

  private func openAndClose() throws {
    let log = Log()
    let server = try echoServer()
    let clients = (0..<3).map { _ in
      WebSocketClient(url: "ws://127.0.0.1:\(server.boundPort)/echo") { log.note($0) }
    }
    #expect(log.has { $0.count { $0 == "opened" } == 3 })
    for client in clients { client.close() }
    #expect(log.has { $0.count { $0.hasPrefix("closed") } == 3 })
    // A client that has been let go says nothing; an optimized build lets go after the last use.
    withExtendedLifetime(clients) {}
    server.stop()
  }

  /// The thread frees what it used; whoever lets the loop go must not be using it still, or waits for ever.
  @Test(.timeLimit(.minutes(10))) func loopsEndHoweverSoonTheyAreLetGo() {
    let threads = (0..<8).map { _ in
      WorkerThread(name: "test") {
        for _ in 0..<4_000 {
          let loop = GLibLoop(name: "test")
          _ = loop.wait { 1 }
        }
      }
    }
    for thread in threads { thread.join() }
  }
}
