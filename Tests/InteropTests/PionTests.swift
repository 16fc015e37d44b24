import Foundation
import TestSupport
import Testing

extension InteropTests {
  /// Pion's players watch native users. Like many Go programs they take packets as they come, and count holes.
  @Suite("Pion", .serialized, .timeLimit(.minutes(10)), .enabled(if: ExternalPeer.pionPlayer != nil))
  struct PionTests {
    @Test("plays what a native user publishes, without a hole, and ends its session")
    func plays() async throws {
      let server = try TestServer()
      let host = Performer(at: server.address, uid: 1)
      defer { host.leave() }
      let player = try #require(ExternalPeer.pionPlayer)
      let peer = try ExternalPeer(player, ["http://\(server.address)/whep/show?from=1"])
      try #require(await eventually { peer.report["pictures"] > 60 && peer.report["audio"] > 50 })
      let report = await peer.finish()
      #expect(report["width"] == 640 && report["height"] == 360 && report["gaps"] == 0)
      // It closes its connection first, which may have ended the session already.
      #expect([200, 404].contains(report["deleted"]))
    }
  }
}
