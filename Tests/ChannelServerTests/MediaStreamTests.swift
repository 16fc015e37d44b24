import ChannelServer
import Glibc
import LinuxIO
import MediaBase
import TestSupport
import Testing

/// Connections to the media port.
@Suite("Media by TCP", .timeLimit(.minutes(10)), .ownThread)
struct MediaStreamTests {
  private let server: ChannelServer

  init() throws {
    server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
  }

  private func connection() -> Int32 { LoopbackTCP.connect(port: server.boundUDPPort, patience: 5) }

  /// Whether the server ends the connection without a word.
  private func isCutOff(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, 0)
    return count == 0 || count < 0 && errno == ECONNRESET
  }

  @Test("answers tell the same port for UDP and TCP, and prefer UDP")
  func candidates() throws {
    let body = RawHTTP(port: server.boundHTTPPort).offer("/whep/show", .offer("recvonly")).body
    let lines = body.split(separator: "\r\n").filter { $0.hasPrefix("a=candidate:") }.map { $0.split(separator: " ") }
    #expect(lines.map { $0[2] } == ["udp", "tcp"])
    #expect(lines.allSatisfy { $0[4] == "127.0.0.1" && $0[5] == "\(server.boundUDPPort)" })
    #expect(lines[1].suffix(4).joined(separator: " ") == "typ host tcptype passive")
    let priorities = lines.compactMap { UInt32($0[3]) }
    #expect(priorities.count == 2 && priorities[0] > priorities[1])
  }

  @Test("who speaks another protocol is cut off at once, and too many who say nothing make no room for more")
  func strangers() throws {
    let other = connection()
    #expect(send(other, "GET / HTTP/1.1\r\n\r\n", 18, Int32(MSG_NOSIGNAL)) == 18)
    #expect(isCutOff(other))
    close(other)
    let silent = (0..<32).map { _ in connection() }
    let oneMore = connection()
    #expect(isCutOff(oneMore))
    close(oneMore)
    for descriptor in silent { close(descriptor) }
    // What has ended is forgotten: somebody else gets in, and is heard.
    var isHeard = false
    for _ in 0..<200 where !isHeard {
      let next = connection()
      send(next, [0, 1, 0xFF] as [UInt8], 3, Int32(MSG_NOSIGNAL))
      var byte: UInt8 = 0
      usleep(10_000)
      isHeard = recv(next, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
      close(next)
    }
    #expect(isHeard)
  }

  @Test("random streams do no harm")
  func noise() throws {
    var random = SeededRandom(seed: 4)
    for _ in 0..<200 {
      let descriptor = connection()
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let count = Int.random(in: 0...2_100, using: &random)
        bytes += [UInt8(count >> 8), UInt8(count & 255), UInt8.random(in: 0...255, using: &random)]
        bytes += (0..<max(0, count - 1)).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      close(descriptor)
    }
    #expect(RawHTTP(port: server.boundHTTPPort).offer("/whep/show", .offer("recvonly")).status == 201)
    #expect(RawHTTP(port: server.boundHTTPPort).request("GET", "/healthz").status == 200)
  }
}
