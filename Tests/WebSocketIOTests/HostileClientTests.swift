import Glibc
import MediaBase
import Testing

@testable import WebSocketIO

// One after the other with the others, which count descriptors.
extension WebSocketIOTests {
  @Suite("Clients that mean no good")
  struct HostileClientTests {
    private static func server(_ change: (inout HTTPLimits) -> Void = { _ in }) throws -> HTTPServer {
      var limits = HTTPLimits()
      limits.messageByteCount = 1_000
      change(&limits)
      let server = try HTTPServer(host: "127.0.0.1", port: 0, limits: limits)
      server.webSocket("/echo") { connection in
        WebSocketServerConnection.Handlers(onText: { connection.send(text: $0) }, onClosed: {})
      }
      server.route("/healthz") { HTTPResponse(body: "{}") }
      server.handle("/content", maximumBodyByteCount: 100) { $0.respond(.text(200, "got \($0.request.body)")) }
      return server
    }

    /// Answers each text at `/much` with 60 of 60,000 bytes.
    private static func answerMuch(_ server: HTTPServer) {
      let text = String(repeating: "x", count: 60_000)
      server.webSocket("/much") { connection in
        WebSocketServerConnection.Handlers(
          onText: { _ in for _ in 0..<60 { connection.send(text: text) } }, onClosed: {})
      }
    }

    /// Whether somebody else is answered.
    private static func answers(_ server: HTTPServer) -> Bool {
      let connection = RawConnection(port: server.boundPort)
      connection?.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
      return connection?.received().hasPrefix("HTTP/1.1 200") ?? false
    }

    @Test("many may connect at the same moment")
    func connectionsInOneGo() throws {
      let server = try Self.server()
      let connections = (0..<200).compactMap { _ in RawConnection(port: server.boundPort) }
      #expect(connections.count == 200 && Self.answers(server))
    }

    @Test("one connection too many is closed, and those that never ask for anything are cut off")
    func idleConnections() throws {
      let server = try Self.server {
        $0.connectionCount = 4
        $0.requestTimeout = .milliseconds(500)
      }
      let idle = (0..<3).compactMap { _ in RawConnection(port: server.boundPort) }
      let slow = try #require(RawConnection(port: server.boundPort))
      slow.send("GET /healthz HTTP/1.1\r\nHost: x\r\n")
      let tooMany = try #require(RawConnection(port: server.boundPort))
      #expect(tooMany.hasEnded)
      #expect(idle.count == 3 && idle.allSatisfy(\.hasEnded) && slow.hasEnded)
      #expect(Self.answers(server))
    }

    @Test("content that nobody wants is not kept, and whoever goes on sending it is cut off")
    func endlessContent() throws {
      let server = try Self.server()
      for path in ["/healthz", "/echo", "/content", "/nowhere"] {
        let connection = try #require(RawConnection(port: server.boundPort))
        connection.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n")
        let piece = [UInt8](repeating: 0x61, count: 100_000)
        #expect(!(0..<1_000).allSatisfy { _ in connection.send(piece) }, "\(path)")
      }
      let chunks = try #require(RawConnection(port: server.boundPort))
      chunks.send("POST /content HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "10000\r\n" + String(repeating: "a", count: 65_536) + "\r\n"
      #expect(!(0..<1_000).allSatisfy { _ in chunks.send(chunk) })
      #expect(Self.answers(server))
      let wanted = try #require(RawConnection(port: server.boundPort))
      wanted.send("POST /content HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
      #expect(wanted.receivedToEnd().hasSuffix("got hello\n"))
    }

    @Test(
      "who sends fragments, pings or pongs without end is cut off, and others are answered meanwhile",
      arguments: [0x00, 0x89, 0x8A] as [UInt8])
    func endlessFrames(opcode: UInt8) throws {
      let server = try Self.server()
      let other = try #require(RawConnection(port: server.boundPort, webSocket: "/echo"))
      let connection = try #require(RawConnection(port: server.boundPort, webSocket: "/echo"))
      if opcode == 0 { connection.sendFrame(0x01, 100) }
      var (sent, isOpen) = (0, true)
      while isOpen, sent < 1_000_000 {
        for _ in 0..<1_000 where isOpen { isOpen = connection.sendFrame(opcode, 125) }
        sent += 1_000
        other.sendFrame(0x81, 5)
        #expect(other.eventuallyReceives("aaaaa"))
      }
      #expect(!isOpen)
      #expect(Self.answers(server))
    }

    @Test("a client that takes what it is sent stays, however much that is; one that does not is cut off")
    func slowReaders() throws {
      let server = try HTTPServer(host: "127.0.0.1", port: 0)
      Self.answerMuch(server)
      let reader = try #require(RawConnection(port: server.boundPort, webSocket: "/much"))
      let lazy = try #require(RawConnection(port: server.boundPort, webSocket: "/much"))
      for round in 0..<5 {
        reader.sendFrame(0x81, 5)
        var count = 0
        while count < 60 * 60_000 {
          let received = reader.received().utf8.count
          try #require(received > 0, "round \(round), \(count) bytes")
          count += received
        }
      }
      // More than the kernels hold between the two.
      for _ in 0..<100 where lazy.sendFrame(0x81, 5) {}
      #expect(
        !(0..<200).allSatisfy { _ in
          usleep(10_000)
          return lazy.sendFrame(0x81, 5)
        })
    }

    @Test("what waits on all together has a limit: one goes on which most waits, and others stay")
    func waitingBytes() throws {
      let server = try Self.server {
        $0.waitingByteCountOfAll = 1 << 20
        $0.messageByteCount = 65_536
      }
      Self.answerMuch(server)
      let other = try #require(RawConnection(port: server.boundPort, webSocket: "/echo"))
      // A message whose end does not come: more than what waits for others, less than the limit.
      let partial = try #require(RawConnection(port: server.boundPort, webSocket: "/echo"))
      partial.sendFrame(0x01, 40_000)
      // More than the kernels hold between the two, each time; less than one alone may have.
      var lazy: [RawConnection] = []
      for _ in 0..<10 {
        let one = try #require(RawConnection(port: server.boundPort, webSocket: "/much"))
        lazy.append(one)
        one.sendFrame(0x81, 5)
      }
      let isOneGone = (0..<500).contains { _ in
        usleep(10_000)
        return lazy.contains { !$0.sendFrame(0x8A, 0) }
      }
      #expect(isOneGone)
      other.sendFrame(0x81, 5)
      #expect(other.eventuallyReceives("aaaaa"))
      partial.sendFrame(0x80, 3)
      #expect(partial.eventuallyReceives("aaaaa"))
    }

    @Test("a WebSocket that answers no ping is cut off")
    func silence() throws {
      let server = try Self.server {
        $0.pingInterval = .milliseconds(1_000)
        $0.silence = .milliseconds(2_000)
      }
      let mute = try #require(RawConnection(port: server.boundPort, webSocket: "/echo"))
      mute.sendFrame(0x81, 5)
      #expect(mute.hasEnded)
    }
  }
}
