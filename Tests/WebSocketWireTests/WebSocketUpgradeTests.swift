import Testing
import WebSocketWire

private func head(_ lines: String...) -> [UInt8] { Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8) }

@Suite struct WebSocketUpgradeTests {
  /// RFC 6455 section 1.2.
  private let example = head(
    "GET /chat?x=1 HTTP/1.1", "Host: server.example.com", "Upgrade: websocket", "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Origin: http://example.com",
    "Sec-WebSocket-Protocol: chat, superchat",
    "Sec-WebSocket-Version: 13")

  @Test("the RFC's example asks for a WebSocket, and so does one in another case")
  func upgrade() throws {
    let read = try #require(HTTPRequestHead(parsing: example))
    #expect(read.path == "/chat" && read.method == "GET")
    #expect(try WebSocketUpgrade(read).key == "dGhlIHNhbXBsZSBub25jZQ==")
    let other = head(
      "GET / HTTP/1.1", "host: x", "UPGRADE:WebSocket", "connection: keep-alive , UPGRADE",
      "sec-websocket-key:  dGhlIHNhbXBsZSBub25jZQ== ", "sec-websocket-version: 13")
    #expect(throws: Never.self) { try WebSocketUpgrade(try #require(HTTPRequestHead(parsing: other))) }
  }

  @Test("the end of a head is found wherever it is cut, and no sooner")
  func end() {
    let bytes = example + [1, 2, 3]
    for cut in 0..<example.count {
      #expect(HTTPRequestHead.end(in: Array(bytes[..<cut])) == nil)
      #expect(HTTPRequestHead.end(in: bytes, from: cut) == example.count)
    }
    #expect(HTTPRequestHead.end(in: Array("GET / HTTP/1.1\nHost: x\n\nrest".utf8)) == 24)
  }

  @Test("a request that asks for something else, or in the wrong way, is told apart")
  func refusals() {
    func refusal(_ lines: [String]) -> WebSocketUpgrade.Refusal? {
      guard let head = HTTPRequestHead(parsing: Array((lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8)) else {
        return nil
      }
      do throws(WebSocketUpgrade.Refusal) {
        _ = try WebSocketUpgrade(head)
        return nil
      } catch { return error }
    }
    let good = [
      "GET / HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13",
    ]
    #expect(refusal(good) == nil)
    func replaced(_ index: Int, _ line: String?) -> [String] {
      good[..<index] + (line.map { [$0] } ?? []) + good[(index + 1)...]
    }
    for (index, line) in [
      (0, "POST / HTTP/1.1"), (0, "GET / HTTP/1.0"), (2, nil), (2, "Upgrade: h2c"), (3, "Connection: close"),
    ] as [(Int, String?)] {
      #expect(refusal(replaced(index, line)) == .notAnUpgrade)
    }
    #expect(refusal(replaced(1, nil)) == .malformed("Host"))
    #expect(refusal(good + ["Host: y"]) == .malformed("Host"))
    #expect(refusal(replaced(5, "Sec-WebSocket-Version: 8")) == .otherVersion)
    #expect(refusal(replaced(5, nil)) == .otherVersion)
    for line in [nil, "Sec-WebSocket-Key: short==", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAAAA"] as [String?] {
      #expect(refusal(replaced(4, line)) == .malformed("Sec-WebSocket-Key"))
    }
    #expect(refusal(good + [good[4]]) == .malformed("Sec-WebSocket-Key"))
  }

  @Test("what is no request is none")
  func malformed() {
    for text in [
      "", "\r\n\r\n", "GET /\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / x HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nName : x\r\n\r\n",
      "GET / HTTP/1.1\r\n folded: x\r\n\r\n", "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 200) + "\r\n",
    ] {
      #expect(HTTPRequestHead(parsing: Array(text.utf8)) == nil, "\(text.prefix(40))")
    }
    #expect(HTTPRequestHead(parsing: [0x47, 0x45, 0x54, 0x20, 0x2F, 0xFF] as [UInt8]) == nil)
    #expect(HTTPRequestHead(parsing: Array("OPTIONS * HTTP/1.0\r\n\r\n".utf8))?.path == "*")
  }
}
