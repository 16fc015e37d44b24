import Glibc
import LinuxIO
import MediaBase
import Testing

@testable import WebSocketIO

// One after the other with the others, which count descriptors.
extension WebSocketIOTests {
  @Suite("Requests before they are a WebSocket or libsoup's")
  struct RequestHeadTests {
    private static func server(_ change: (inout HTTPLimits) -> Void = { _ in }) throws -> HTTPServer {
      var limits = HTTPLimits()
      change(&limits)
      let server = try HTTPServer(host: "127.0.0.1", port: 0, limits: limits)
      server.webSocket("/echo") { connection in
        WebSocketServerConnection.Handlers(onText: { connection.send(text: $0) }, onClosed: {})
      }
      server.webSocket("/full") { _ in nil }
      server.handle("/content", maximumBodyByteCount: 200_000) { exchange in
        exchange.respond(.text(200, "got \(exchange.request.body.utf8.count) bytes"))
      }
      return server
    }

    private static let upgrade =
      "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      + "Sec-WebSocket-Version: 13\r\n\r\n"

    private func answer(_ server: HTTPServer, _ request: String) throws -> String {
      let connection = try #require(RawConnection(port: server.boundPort))
      connection.send(request)
      return connection.receivedToEnd()
    }

    @Test("a WebSocket opens as in the RFC's example, however its request is cut, and frames may stand behind it")
    func opening() throws {
      let server = try Self.server()
      let hello: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
      let request = Array(("GET /echo?x=1 HTTP/1.1\r\n" + Self.upgrade).utf8) + hello
      for step in [1, 50, request.count] {
        let connection = try #require(RawConnection(port: server.boundPort))
        for start in stride(from: 0, to: request.count, by: step) {
          connection.send(Array(request[start..<min(start + step, request.count)]))
        }
        var text = ""
        while !text.contains("Hello") {
          let more = connection.received()
          try #require(!more.isEmpty, "\(text)")
          text += more
        }
        #expect(text.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(text.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        // The close frame comes back, and then the end.
        connection.send([0x88, 0x82, 0, 0, 0, 0, 0x0F, 0xA0])
        #expect(connection.receivedToEnd() == "\u{FFFD}\u{2}\u{F}\u{FFFD}")
      }
    }

    @Test("who asks in the wrong way is told with a status")
    func refusals() throws {
      let server = try Self.server()
      #expect(try answer(server, "GET /echo HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 426 "))
      let other = Self.upgrade.split(separator: "13")[0] + "12\r\n\r\n"
      let told = try answer(server, "GET /echo HTTP/1.1\r\n" + other)
      #expect(told.hasPrefix("HTTP/1.1 426 ") && told.contains("\r\nSec-WebSocket-Version: 13\r\n"))
      #expect(
        try answer(server, "GET /echo HTTP/1.1\r\nSec-WebSocket-Key: x\r\n" + Self.upgrade).hasPrefix("HTTP/1.1 400 "))
      #expect(try answer(server, "GET /full HTTP/1.1\r\n" + Self.upgrade).hasPrefix("HTTP/1.1 503 "))
      #expect(try answer(server, "GET /nowhere HTTP/1.1\r\n" + Self.upgrade).hasPrefix("HTTP/1.1 404 "))
      #expect(try answer(server, "nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
      let long = "GET /content HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 20_000))\r\n\r\n"
      #expect(try answer(server, long).hasPrefix("HTTP/1.1 431 "))
      let endless = String(repeating: "a", count: 20_000)
      #expect(try answer(server, endless).hasPrefix("HTTP/1.1 431 "))
      for (count, status) in [(99, 200), (100, 431), (1_000, 431)] {
        let many = String(repeating: "A: b\r\n", count: count)
        let told = try answer(server, "GET /content HTTP/1.1\r\nHost: x\r\n\(many)\r\n")
        #expect(told.hasPrefix("HTTP/1.1 \(status) "), "\(count): \(told)")
      }
    }

    @Test("who does not say what is asked for, and of whom, is told so in words (RFC 9112 section 3.2)")
    func unclearTargets() throws {
      let server = try Self.server()
      for request in [
        "GET /content HTTP/1.1\r\n\r\n", "GET /content HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
      ] {
        let told = try answer(server, request)
        #expect(told.hasPrefix("HTTP/1.1 400 ") && told.hasSuffix(".\n"), "\(told)")
      }
      #expect(try answer(server, "GET /content HTTP/1.0\r\n\r\n").contains(" 200 OK\r\n"))
    }

    @Test("content comes whole to its handler, in one piece with its request or in many")
    func content() throws {
      let server = try Self.server()
      let content = String(repeating: "c", count: 100_000)
      let head = "POST /content HTTP/1.1\r\nHost: x\r\nContent-Length: \(content.utf8.count)\r\n\r\n"
      #expect(try answer(server, head + content).hasSuffix("got 100000 bytes\n"))
      let connection = try #require(RawConnection(port: server.boundPort))
      for start in stride(from: 0, to: 100_000, by: 10_000) {
        connection.send(start == 0 ? head : "")
        MonotonicClock.sleep(for: .milliseconds(2))
        connection.send(String(content.dropFirst(start).prefix(10_000)))
      }
      #expect(connection.receivedToEnd().hasSuffix("got 100000 bytes\n"))
    }

    @Test(
      "requests whose content could end in two places are refused, and nothing behind them is read as a request",
      arguments: [
        "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5, 5",
        "Content-Length: 5, 6", "Content-Length: +5", "Content-Length: -5", "Content-Length: 5 5",
        "Content-Length: 0x5",
        "Content-Length: 5.0", "Content-Length:", "Content-Length: \u{665}", "Content-Length: 99999999999999999999",
        "Content-Length: 18446744073709551621", "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5", "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Transfer-Encoding: gzip",
        "Transfer-Encoding: xchunked", "Transfer-Encoding: chunked;q=1", "Transfer-Encoding:", "Content-Length : 5",
        "Content-Length: 5\r\n Content-Length: 6", "A: b\rContent-Length: 5", "Content-Length: 5\0",
        "Content-Length: 5\rTransfer-Encoding: chunked",
      ])
    func framing(fields: String) throws {
      let server = try Self.server()
      for path in ["/content", "/echo"] {
        let hidden = "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
        let told = try answer(
          server, "POST \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + hidden)
        #expect(told.hasPrefix("HTTP/1.1 400 ") && told.firstRange(of: "HTTP/1.1 404") == nil)
      }
    }

    @Test("content with one length comes as it was sent; in chunks it is 411, and lengths beyond what is taken are 413")
    func wellFramed() throws {
      let server = try Self.server()
      func told(_ fields: String, _ content: String) throws -> String {
        try answer(server, "POST /content HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n\(content)")
      }
      #expect(try told("content-length:  5 ", "hello").hasSuffix("got 5 bytes\n"))
      #expect(try told("Content-Length: 0005", "hello").hasSuffix("got 5 bytes\n"))
      #expect(try told("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n").hasPrefix("HTTP/1.1 411 "))
      #expect(try told("Content-Length: 999999999999999999", "hello").hasPrefix("HTTP/1.1 413 "))
      let old = try answer(server, "POST /content HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
      #expect(old.hasPrefix("HTTP/1.1 400 "))
    }

    @Test("one address has so many connections; further ones are told, and may come when others have gone")
    func addresses() throws {
      let server = try Self.server { $0.connectionCountPerAddress = 5 }
      var open = try (0..<5).map { _ in try #require(RawConnection(port: server.boundPort, webSocket: "/echo")) }
      #expect(try answer(server, "GET /echo HTTP/1.1\r\n" + Self.upgrade).hasPrefix("HTTP/1.1 429 "))
      #expect(try answer(server, "GET /content HTTP/1.1\r\nHost: x\r\n\r\n").hasPrefix("HTTP/1.1 429 "))
      // Beyond those who are told, connections are ended at once.
      let idle = (0..<100).compactMap { _ in RawConnection(port: server.boundPort) }
      #expect(idle.last?.hasEnded == true)
      open[0].sendFrame(0x81, 5)
      #expect(open[0].eventuallyReceives("aaaaa"))
      withExtendedLifetime(idle) {}
      open.removeAll()
    }

    @Test("when those who held an address's place have gone, requests are answered again")
    func freedPlaces() throws {
      let server = try Self.server { $0.connectionCountPerAddress = 2 }
      for round in 0..<20 {
        var status = ""
        // The server hears of an end a little later.
        for _ in 0..<400 where !status.hasPrefix("HTTP/1.1 200") {
          status = try answer(server, "GET /content HTTP/1.1\r\nHost: x\r\n\r\n")
          if status.hasPrefix("HTTP/1.1 429") { MonotonicClock.sleep(for: .milliseconds(5)) }
        }
        #expect(status.hasPrefix("HTTP/1.1 200"), "round \(round): \(status)")
        var webSocket: RawConnection?
        for _ in 0..<400 where webSocket == nil {
          webSocket = RawConnection(port: server.boundPort, webSocket: "/echo")
          if webSocket == nil { MonotonicClock.sleep(for: .milliseconds(5)) }
        }
        #expect(webSocket != nil)
        if round % 2 == 0 { webSocket?.send([0x88, 0x80, 0, 0, 0, 0]) }
      }
    }

    @Test("hundreds who begin a request and say no more keep nobody waiting, and are told that it took too long")
    func halfOpen() throws {
      let server = try Self.server { $0.requestTimeout = .milliseconds(1_000) }
      let idle = (0..<300).compactMap { number -> RawConnection? in
        let connection = RawConnection(port: server.boundPort)
        connection?.send(
          number % 2 == 0 ? "GET /echo HT" : "POST /content HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
        return connection
      }
      let user = try #require(RawConnection(port: server.boundPort, webSocket: "/echo"))
      for _ in 0..<50 {
        user.sendFrame(0x81, 5)
        #expect(user.eventuallyReceives("aaaaa"))
      }
      #expect(idle.count == 300)
      #expect(idle[0].receivedToEnd().hasPrefix("HTTP/1.1 408 "))
      #expect(idle.filter { !$0.hasEnded }.isEmpty)
    }
  }
}
