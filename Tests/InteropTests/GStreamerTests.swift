import ChannelServer
import Foundation
import TestSupport
import Testing

extension InteropTests {
  /// GStreamer's webrtcbin and native participants in one channel.
  @Suite("GStreamer", .serialized, .timeLimit(.minutes(10)), .enabled(if: ExternalPeer.gstreamerInterpreter != nil))
  struct GStreamerTests {
    private let server: ChannelServer
    private let address: String
    private let interpreter: URL

    init() throws {
      server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
      try server.start()
      address = "127.0.0.1:\(server.boundHTTPPort)"
      interpreter = try #require(ExternalPeer.gstreamerInterpreter)
    }

    private func peer(_ purpose: String, _ target: String) throws -> ExternalPeer {
      try ExternalPeer(interpreter, "gstreamer_peer.py", [purpose, "http://\(address)/\(target)"])
    }

    @Test("publishes to a native user, who comes later and gets a key frame at once")
    func publishes() async throws {
      let first = Onlooker(at: address, watching: 7)
      defer { first.leave() }
      let peer = try peer("publish", "whip/show?uid=7")
      try #require(await eventually { first.pictures > 60 && first.sounds > 50 })
      let second = Onlooker(at: address, watching: 7, as: 3)
      defer { second.leave() }
      #expect(await eventually { second.pictures > 30 })
      let report = await peer.finish()
      #expect(report["keyFrameRequests"] > 0 && report["deleted"] == 200)
      #expect(await eventually { first.hasSeenItLeave && second.hasSeenItLeave })
    }

    @Test("plays what a native user publishes")
    func plays() async throws {
      let host = Performer(at: address, uid: 1)
      defer { host.leave() }
      let peer = try peer("play", "whep/show?from=1")
      try #require(
        await eventually { peer.report["video"] > 60 && peer.report["audio"] > 50 && peer.report["loudest"] > 500 })
      let report = await peer.finish()
      #expect(report["width"] == 640 && report["height"] == 360 && report["deleted"] == 200)
    }
  }
}
