import ChannelServer
import Foundation
import MediaBase
import MediaEngine
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

extension InteropTests {
  /// Chromium publishes a video in several encodings (RFC 8853); who watches chooses.
  @Suite("Chromium in several encodings", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumLayerTests {
    private let server: ChannelServer
    private let address: String

    init() throws {
      server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
      try server.start()
      address = "127.0.0.1:\(server.boundHTTPPort)"
    }

    /// What a native user has seen: widths, and the clock in the pixels.
    private final class Seen: Sendable {
      private let pictures = Mutex<[(width: Int, clock: MediaInstant)]>([])

      func note(_ frame: VideoFrame) {
        guard let clock = FrameClock.read(frame) else { return }
        pictures.withLock { $0.append((frame.width, clock)) }
      }

      /// Whether the last pictures were of this width.
      func shows(_ width: Int) -> Bool {
        pictures.withLock { $0.count > 10 && $0.suffix(10).allSatisfy { $0.width == width } }
      }

      var clocks: [MediaInstant] { pictures.withLock { $0.map(\.clock) } }
    }

    @Test("a native user and another Chromium get small and large pictures as they ask, and the picture goes on")
    func layers() async throws {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://\(address)"))
      defer { engine.destroy() }
      let seen = Seen()
      engine.setRemoteVideoFrameObserver { if $0.uid == 7 { seen.note($0.frame) } }
      #expect(
        engine.joinChannel(
          token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions(clientRoleType: .audience)) == 0)
      engine.setRemoteVideoStreamType(uid: 7, type: .low)
      let browser = try await Browser()
      let stage = try await browser.open("http://\(address)/")
      try await ChromiumTests.publish(stage, uid: 7)
      // Both encodings of 640x360 are sent, each under its own SSRC.
      #expect(
        try await stage.eventually(
          """
          (async () => [...(await show.connection.getStats()).values()]
            .filter((entry) => entry.type == 'outbound-rtp' && entry.rid && entry.framesSent > 30).length == 2)()
          """))
      #expect(await eventually { seen.shows(320) })
      engine.setRemoteVideoStreamType(uid: 7, type: .high)
      #expect(await eventually { seen.shows(640) })
      engine.setRemoteVideoStreamType(uid: 7, type: .low)
      #expect(await eventually { seen.shows(320) })
      let clocks = seen.clocks
      #expect(zip(clocks, clocks.dropFirst()).allSatisfy { $0 <= $1 })

      // In a browser of its own: of two tabs, that behind draws one picture a second.
      let other = try await Browser()
      let viewer = try await other.open("http://\(address)/")
      try await ChromiumTests.play(viewer, from: 7)
      #expect(try await viewer.eventually("stage.video.videoWidth == 640 && readClock(stage.video) > 0"))
      for (spatial, width) in [(0, 320), (1, 640), (0, 320), (1, 640)] {
        try await viewer.evaluate("stage.session.setLayer({ spatial: \(spatial) })")
        // On a busy machine the estimated bandwidth may take the large picture away for a while.
        #expect(try await viewer.eventually("stage.video.videoWidth == \(width)", seconds: 60))
        let clock = try await viewer.evaluate("readClock(stage.video) ?? 0") as? Double ?? 0
        #expect(
          try await viewer.eventually(
            "stage.video.videoWidth == \(width) && (readClock(stage.video) ?? 0) > \(clock + 300_000)", seconds: 60))
      }
      // Nothing of the changes looked like a loss that could not be repaired.
      #expect(
        try await viewer.eventually(
          """
          (async () => [...(await stage.session.connection.getStats()).values()]
            .some((entry) => entry.type == 'inbound-rtp' && entry.kind == 'video' && entry.framesDecoded > 60
              && entry.keyFramesDecoded >= 5 && entry.pliCount <= 2))()
          """))
    }

    @Test("each of three encodings of 1280x720 is watched by a native user, and the clock in its pixels goes on")
    func threeLayers() async throws {
      let widths: [(type: VideoStreamType, width: Int)] = [(.low, 320), (.layer1, 640), (.high, 1_280)]
      let viewers = widths.map { _ in
        (RTCEngine(configuration: RTCEngineConfiguration(server: "ws://\(address)")), Seen())
      }
      defer { for (engine, _) in viewers { engine.destroy() } }
      for (index, (engine, seen)) in viewers.enumerated() {
        engine.setRemoteVideoFrameObserver { if $0.uid == 7 { seen.note($0.frame) } }
        engine.joinChannel(
          token: nil, channelID: "show", uid: UInt(index) + 2, options: ChannelMediaOptions(clientRoleType: .audience))
        engine.setRemoteVideoStreamType(uid: 7, type: widths[index].type)
      }
      let browser = try await Browser()
      let stage = try await browser.open("http://\(address)/")
      try await ChromiumTests.publish(stage, uid: 7, picture: "clockStream(1280, 720, { rate: 10 })")
      for ((_, seen), (_, width)) in zip(viewers, widths) {
        #expect(await eventually { seen.shows(width) })
        let clocks = seen.clocks
        #expect(zip(clocks, clocks.dropFirst()).allSatisfy { $0 <= $1 })
      }
    }
  }
}
