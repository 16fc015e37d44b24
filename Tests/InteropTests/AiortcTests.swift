import Foundation
import MediaBase
import TestSupport
import Testing

extension InteropTests {
  /// aiortc and native participants in one channel. Unlike browsers it sends no transport-wide numbers and takes no feedback
  /// of that kind: what is lost is repaired by NACK and RTX alone.
  /// Behind a proxy the server does not know where who asks is: handshakes repeat a cookie.
  @Suite("aiortc", .serialized, .timeLimit(.minutes(10)), .enabled(if: ExternalPeer.aiortcInterpreter != nil))
  struct AiortcTests {
    private let server: TestServer
    private let address: String
    private let interpreter: URL

    init() throws {
      server = try TestServer(isBehindProxy: true)
      address = server.address
      interpreter = try #require(ExternalPeer.aiortcInterpreter)
    }

    private func peer(_ purpose: String, _ target: String, _ options: String...) throws -> ExternalPeer {
      try ExternalPeer(interpreter, "aiortc_peer.py", [purpose, "http://\(address)/\(target)"] + options)
    }

    @Test(
      "publishes to a native user, also over a path that loses packets, which it is asked for", arguments: [0, 0.05])
    func publishes(loss: Double) async throws {
      let viewer = Onlooker(at: address, watching: 7)
      defer { viewer.leave() }
      let peer = try peer("publish", "whip/show?uid=7", "\(loss)")
      try #require(await eventually { viewer.pictures > 90 && viewer.sounds > 50 })
      let luma = viewer.luma
      #expect(luma.count == 2 && luma.allSatisfy { $0 > 0 } && abs(luma[0] - 60) < 16 && abs(luma[1] - 180) < 16)
      let report = await peer.finish()
      #expect(report["keyFrameRequests"] > 0 && report["deleted"] == 200)
      // What it was told that it may send (REMB).
      #expect(report["told"] > 200_000)
      if loss > 0 { #expect(report["dropped"] > 0 && report["nacks"] > 0 && report["retransmitted"] > 0) }
      #expect(await eventually { viewer.hasSeenItLeave })
    }

    @Test(
      "plays what a native user publishes, also over a path that loses packets, which come again", arguments: [0, 0.05])
    func plays(loss: Double) async throws {
      let host = Performer(at: address, uid: 1)
      defer { host.leave() }
      let peer = try peer("play", "whep/show?from=1", "\(loss)")
      try #require(
        await eventually { peer.report["video"] > 90 && peer.report["audio"] > 50 && peer.report["loudest"] > 500 })
      if loss > 0 { #expect(await eventually { peer.report["dropped"] > 0 && peer.report["retransmitted"] > 0 }) }
      let report = await peer.finish()
      #expect(report["width"] == 640 && report["height"] == 360 && report["deleted"] == 200)
    }

    @Test("gets the picture again after its own estimate (REMB), the only one there is, fell below what that needs")
    func estimateFalls() async throws {
      let host = Performer(at: address, uid: 1)
      defer { host.leave() }
      let peer = try peer("play", "whep/show?from=1", "0", "120000")
      try #require(await eventually { peer.report["fell"] > 0 })
      // If the picture does not fit, it pauses within two seconds, which is at most 60 more; padding lets the estimate grow.
      #expect(await eventually { peer.report["video"] > peer.report["fell"] + 150 })
      _ = await peer.finish()
    }

    @Test("goes on playing when a NAT gives it another port, though its checks for consent do not nominate")
    func rebinding() async throws {
      let host = Performer(at: address, uid: 1)
      defer { host.leave() }
      let relay = try Relay(to: TransportAddress(ipv4: 0x7F00_0001, port: server.udpPort))
      defer { relay.stop() }
      let peer = try peer("play", "whep/show?from=1", "0", "0", "\(relay.port)")
      try #require(await eventually { peer.report["video"] > 60 })
      for _ in 0..<2 {
        relay.rebind()
        // A few may be on their way.
        let count = peer.report["video"]
        #expect(await eventually { peer.report["video"] > count + 60 })
      }
      #expect(await peer.finish()["deleted"] == 200)
    }
  }
}
