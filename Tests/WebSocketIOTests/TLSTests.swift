import Foundation
import LinuxIO
import MediaBase
import OpenSSLTLS
import Synchronization
import TestSupport
import Testing
import WebSocketIO

@Suite("Connections by TLS", .timeLimit(.minutes(10)), .ownThread)
struct TLSTests {
  private let certificate: TestCertificate

  init() throws { certificate = try TestCertificate() }

  private func server() throws -> HTTPServer {
    let server = try HTTPServer(
      host: "127.0.0.1", port: 0, tls: TLSFiles(certificate: certificate.certificate, privateKey: certificate.key))
    server.webSocket("/echo") { connection in
      WebSocketServerConnection.Handlers(onText: { connection.send(text: $0) }, onClosed: {})
    }
    server.route("/hello") { HTTPResponse(body: "{}") }
    return server
  }

  private final class Log: Sendable {
    let events = Mutex<[WebSocketEvent]>([])
    var hasOpened: Bool {
      events.withLock { events in events.contains { if case .opened = $0 { true } else { false } } }
    }
    func has(_ isMatch: (WebSocketEvent) -> Bool) async -> Bool {
      await eventually { self.events.withLock { $0.contains(where: isMatch) } }
    }
    func hasText(_ text: String) async -> Bool { await has { if case .text(text) = $0 { true } else { false } } }
  }

  private func client(_ url: String, trusting file: String?) -> (WebSocketClient, Log) {
    let log = Log()
    return (
      WebSocketClient(url: url, trustedCertificates: file) { event in log.events.withLock { $0.append(event) } }, log
    )
  }

  @Test("texts of any size go both ways to a server whose certificate is trusted")
  func echo() async throws {
    let server = try server()
    let (client, log) = client("wss://127.0.0.1:\(server.boundPort)/echo", trusting: certificate.certificate)
    #expect(await eventually { log.hasOpened })
    for text in ["hello", String(repeating: "x", count: 60_000)] {
      client.send(text: text)
      #expect(await log.hasText(text))
    }
    withExtendedLifetime((server, client)) {}
  }

  @Test("a server whose certificate is not trusted, or for another name, is not talked to")
  func distrust() async throws {
    let server = try server()
    let other = try TestCertificate()
    for (host, file) in [("127.0.0.1", nil), ("127.0.0.1", other.certificate), ("127.0.0.2", certificate.certificate)] {
      let (client, log) = client("wss://\(host):\(server.boundPort)/echo", trusting: file)
      let isRefused = await log.has {
        switch $0 {
        // 127.0.0.2 is not listened at.
        case .failed(.notTrusted): host == "127.0.0.1"
        case .failed(.refused): host == "127.0.0.2"
        default: false
        }
      }
      #expect(isRefused, "\(log.events.withLock { $0 })")
      #expect(!log.hasOpened)
      withExtendedLifetime(client) {}
    }
    let (client, log) = client("wss://127.0.0.1:\(server.boundPort)/echo", trusting: "/nonexistent.pem")
    #expect(await log.has { if case .failed(.badCertificates) = $0 { true } else { false } })
    withExtendedLifetime((server, client)) {}
  }

  @Test("who does not speak TLS, or begins and says no more, keeps nobody waiting")
  func plain() async throws {
    let server = try server()
    let (plain, plainLog) = client("ws://127.0.0.1:\(server.boundPort)/echo", trusting: nil)
    #expect(await plainLog.has { if case .failed = $0 { true } else { false } })
    // Half a handshake, and then nothing.
    let silent = try (0..<60).map { _ in try #require(RawConnection(port: server.boundPort)) }
    for connection in silent { connection.send([0x16, 0x03, 0x01, 0x02, 0x00]) }
    let (client, log) = client("wss://127.0.0.1:\(server.boundPort)/echo", trusting: certificate.certificate)
    #expect(await eventually { log.hasOpened })
    withExtendedLifetime((server, client, plain, silent)) {}
  }

  @Test("a certificate that has been renewed is used without a restart; broken files leave the old one in use")
  func renewal() async throws {
    let server = try server()
    let url = "wss://127.0.0.1:\(server.boundPort)/echo"
    let old = certificate.certificate + ".old"
    try FileManager.default.copyItem(atPath: certificate.certificate, toPath: old)
    /// Tries until a client that trusts `file` alone gets through.
    func isServed(_ file: String) async -> Bool {
      for _ in 0..<100 {
        let (client, log) = client(url, trusting: file)
        _ = await log.has {
          switch $0 {
          case .opened, .failed: true
          default: false
          }
        }
        withExtendedLifetime(client) {}
        if log.hasOpened { return true }
        try? await Task.sleep(for: .milliseconds(100))
      }
      return false
    }
    #expect(await isServed(old))
    try certificate.replace()
    #expect(await isServed(certificate.certificate))
    let new = certificate.certificate + ".kept"
    try FileManager.default.copyItem(atPath: certificate.certificate, toPath: new)
    try "not a certificate".write(toFile: certificate.certificate, atomically: true, encoding: .utf8)
    try await Task.sleep(for: .milliseconds(2_500))
    #expect(await isServed(new))
    withExtendedLifetime(server) {}
  }

  @Test("files that are no certificate, or do not belong together, are told when the server starts")
  func badFiles() throws {
    let other = try TestCertificate()
    let cases = [
      TLSFiles(certificate: "/nonexistent.pem", privateKey: certificate.key),
      TLSFiles(certificate: certificate.key, privateKey: certificate.key),
      TLSFiles(certificate: certificate.certificate, privateKey: "/dev/null"),
      TLSFiles(certificate: certificate.certificate, privateKey: other.key),
    ]
    for files in cases {
      let error = #expect(throws: HTTPServerError.self) {
        try HTTPServer(host: "127.0.0.1", port: 0, tls: files)
      }
      #expect(error?.description.contains("belong together") == true, "\(String(describing: error))")
    }
  }
}
