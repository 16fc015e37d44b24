import ChannelServer
import Foundation
import MediaEngine
import SyntheticMedia
import Testing

extension InteropTests {
  /// Chromium on a network that lets no UDP through: the answer's UDP candidates are taken away.
  @Suite("Chromium without UDP", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumTCPTests {
    private static let removeUDP = """
      {
        const original = RTCPeerConnection.prototype.setRemoteDescription
        RTCPeerConnection.prototype.setRemoteDescription = function (description) {
          const sdp = description.sdp.split('\\r\\n').filter((line) => !/^a=candidate:.* udp /i.test(line)).join('\\r\\n')
          return original.call(this, { type: description.type, sdp })
        }
        globalThis.usedProtocols = async (connection) => {
          const entries = [...(await connection.getStats()).values()]
          const named = (id) => entries.find((entry) => entry.id == id)
          return entries.filter((entry) => entry.type == 'candidate-pair' && entry.nominated)
            .map((pair) => named(pair.localCandidateId).protocol + ' ' + named(pair.remoteCandidateId).tcpType).join()
        }
      }
      """

    @Test("one page publishes and another plays over TCP alone; the clock in the pixels goes on")
    func overTCP() async throws {
      let server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
      try server.start()
      let browser = try await Browser()
      let stage = try await browser.open("http://127.0.0.1:\(server.boundHTTPPort)/")
      try await stage.evaluate(Self.removeUDP)
      try await ChromiumTests.publish(stage, uid: 7)
      let page = try await browser.open("http://127.0.0.1:\(server.boundHTTPPort)/")
      try await page.evaluate(Self.removeUDP)
      try await ChromiumTests.play(page, from: 7)
      #expect(try await page.eventually("(readClock(stage.video) ?? 0) > 0"))
      let first = try await page.evaluate("readClock(stage.video)") as? Double ?? 0
      #expect(try await page.eventually("(readClock(stage.video) ?? 0) > \(first + 2_000_000)"))
      #expect(try await page.evaluate("usedProtocols(stage.session.connection)") as? String == "tcp passive")
      #expect(try await stage.evaluate("usedProtocols(show.connection)") as? String == "tcp passive")
    }
  }
}
