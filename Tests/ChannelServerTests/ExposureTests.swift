import ChannelServer
import ControlWire
import TestSupport
import Testing
import WebSocketIO

/// What strangers get to know, and how much one address may take.
@Suite("Strangers", .timeLimit(.minutes(10)), .ownThread)
struct ExposureTests {
  private static let upgrade = [
    "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
  ]

  private func start(
    _ change: (inout ChannelServerConfiguration) -> Void
  ) throws -> (server: ChannelServer, http: RawHTTP) {
    var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true)
    change(&configuration)
    let server = ChannelServer(configuration: configuration)
    try server.start()
    return (server, RawHTTP(port: server.boundHTTPPort))
  }

  @Test("health says nothing of how many there are; metrics do, to this machine in development mode")
  func development() throws {
    let (server, http) = try start { _ in }
    let peer = ControlPeer("ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.signalPath)")
    peer.send(.login(LoginRequest(uid: 1)))
    #expect(peer.getsSignal { if case .loggedIn = $0 { true } else { false } })
    let health = http.request("GET", "/healthz")
    #expect(health.status == 200 && health.body.contains(#""status":"ok""#) && !health.body.contains("onnections"))
    let metrics = http.request("GET", "/metrics")
    #expect(metrics.status == 200 && metrics.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    #expect(
      metrics.body.contains("\ngreenroom_signal_users 1\n") && metrics.body.contains("\ngreenroom_connections 1\n"))
    #expect(http.request("POST", "/metrics").status == 405 && http.request("GET", "/metrics/x").status == 404)
    withExtendedLifetime((server, peer)) {}
  }

  @Test(
    "a server that may be behind a proxy tells its metrics and its calls to who shows the token, and to nobody without one"
  )
  func tokens() throws {
    func close(_ configuration: inout ChannelServerConfiguration) {
      configuration.development = false
      configuration.tokens = TokenPolicy(
        appID: String(repeating: "a", count: 32), certificates: [String(repeating: "b", count: 32)])
    }
    let (without, http) = try start { close(&$0) }
    #expect(http.request("GET", "/metrics").status == 403 && http.request("GET", "/healthz").status == 200)
    #expect(http.request("GET", "/metrics", ["Authorization: Bearer "]).status == 403)
    #expect(http.request("GET", "/v1/calls").status == 403 && http.request("GET", "/v1/calls/x").status == 403)
    let (with, asked) = try start {
      close(&$0)
      $0.metricsToken = "a-token-of-some-length"
      $0.callsToken = "another-token-of-some-length"
    }
    #expect(asked.request("GET", "/metrics").headers["www-authenticate"] == "Bearer")
    for wrong in ["", "a-token-of-some-lengtH", "a-token-of-some-length-and-more"] {
      #expect(asked.request("GET", "/metrics", ["Authorization: Bearer \(wrong)"]).status == 401)
      #expect(asked.request("GET", "/v1/calls", ["Authorization: Bearer \(wrong)"]).status == 401)
    }
    #expect(asked.request("GET", "/v1/calls", ["Authorization: Bearer a-token-of-some-length"]).status == 401)
    let calls = asked.request("GET", "/v1/calls", ["Authorization: Bearer another-token-of-some-length"])
    #expect(calls.status == 200 && calls.body == #"{"calls":[]}"#)
    #expect(asked.request("GET", "/metrics", ["Authorization: Bearer a-token-of-some-length"]).status == 200)
    withExtendedLifetime((without, with)) {}
  }

  @Test("pages of other names that lead here get neither metrics nor calls: Host must be one of loopback")
  func rebinding() throws {
    let (server, http) = try start { _ in }
    func status(_ path: String, _ host: String) -> Int {
      http.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n").status
    }
    for path in ["/metrics", "/v1/calls"] {
      for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.8.7:8080", "[::1]", "[::1]:8080"] {
        #expect(status(path, host) == 200, "\(path) \(host)")
      }
      for host in [
        "rebound.example", "rebound.example:8080", "localhost.example", "127.0.0.1.example", "192.0.2.1", "[::2]",
      ] {
        #expect(status(path, host) == 403, "\(path) \(host)")
      }
    }
    let (shown, asked) = try start { $0.metricsToken = "a-token-of-some-length" }
    let request = "GET /metrics HTTP/1.1\r\nHost: any.example\r\nAuthorization: Bearer a-token-of-some-length\r\n"
    #expect(asked.send(request + "Connection: close\r\n\r\n").status == 200)
    withExtendedLifetime((server, shown)) {}
  }

  @Test("one address has so many control connections, the next is refused with 429; those it has go on")
  func connections() throws {
    let (server, http) = try start { $0.maximumConnectionCountPerAddress = 3 }
    let url = "ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.signalPath)"
    let peers = (1...3).map { uid in
      let peer = ControlPeer(url)
      peer.send(.login(LoginRequest(uid: UInt(uid))))
      return peer
    }
    for peer in peers { #expect(peer.getsSignal { if case .loggedIn = $0 { true } else { false } }) }
    // The one header that the helper would add stands against it.
    let refused = http.send(
      (["GET \(ControlProtocol.signalPath) HTTP/1.1", "Host: x", "Connection: Upgrade"] + Self.upgrade)
        .map { $0 + "\r\n" }.joined() + "\r\n")
    #expect(refused.status == 429 && refused.body.contains("too many connections"))
    peers[0].send(.send(SendRequest(requestID: 1, to: 2, message: "still here")))
    #expect(peers[1].getsSignal { $0 == .message(ReceivedMessage(from: 1, message: "still here")) })
    peers[2].close()
    var status = 429
    for _ in 0..<1_000 where status == 429 { status = http.request("GET", "/healthz").status }
    #expect(status == 200)
    withExtendedLifetime(server) {}
  }
}
