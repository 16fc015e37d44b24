import Foundation
import MediaEngine
import SyntheticMedia
import TestSupport
import Testing

extension InteropTests {
  /// A native user publishes two streams with two temporal layers each; who watches in Chromium gets fewer of them.
  @Suite("Temporal layers in Chromium", .serialized, .timeLimit(.minutes(10)))
  struct TemporalLayerTests {
    /// `steps` has the distances of the last pictures in ticks of their timestamps: what was not shown makes them longer,
    /// and nothing makes them shorter.
    private static let stepScript = """
      globalThis.steps = []
      let last = null
      const note = (now, { rtpTimestamp }) => {
        if (last !== null) steps.push((rtpTimestamp - last) >>> 0)
        last = rtpTimestamp
        steps.splice(0, steps.length - 40)
        stage.video.requestVideoFrameCallback(note)
      }
      stage.video.requestVideoFrameCallback(note)
      globalThis.requests = async () => [...(await stage.session.connection.getStats()).values()]
        .find((entry) => entry.type == 'inbound-rtp' && entry.kind == 'video').pliCount
      true
      """

    @Test(
      "the upper one of each stream is left out and comes back, decoded without a hole and without asking for key frames"
    )
    func fewerPictures() async throws {
      let server = try TestServer()
      var encoding = VideoEncoderConfiguration(width: 640, height: 360, frameRate: 30)
      encoding.temporalLayerCount = 2
      let host = RTCEngine(
        configuration: RTCEngineConfiguration(
          server: "ws://\(server.address)", videoSource: TestPatternSource(), audioSource: nil,
          videoEncoderConfiguration: encoding))
      defer { host.destroy() }
      host.enableDualStreamMode(true)
      host.joinChannel(
        token: nil, channelID: "show", uid: 1,
        options: ChannelMediaOptions(publishCameraTrack: true, clientRoleType: .broadcaster))
      let browser = try await Browser()
      let page = try await browser.open("http://\(server.address)/")
      try await ChromiumTests.play(page, from: 1)
      #expect(try await page.eventually("stage.video.videoWidth == 640 && readClock(stage.video) > 0"))
      try await page.evaluate(Self.stepScript)
      for (spatial, width) in [(1, 640), (0, 320)] {
        try await page.evaluate("stage.session.setLayer({ spatial: \(spatial) })")
        // At 30 pictures a second, two of them are 3,000 ticks apart.
        #expect(
          try await page.eventually(
            "stage.video.videoWidth == \(width) && steps.slice(-5).some((step) => step < 3_500)"))
        let requests = try await page.evaluate("requests()") as? Int ?? 0
        for _ in 0..<2 {
          try await page.evaluate("stage.session.setLayer({ spatial: \(spatial), temporal: 0 })")
          #expect(
            try await page.eventually("steps.length > 15 && steps.slice(-15).every((step) => step > 5_500)"))
          let clock = try await page.evaluate("readClock(stage.video) ?? 0") as? Double ?? 0
          #expect(try await page.eventually("(readClock(stage.video) ?? 0) > \(clock + 300_000)"))
          try await page.evaluate("stage.session.setLayer({ spatial: \(spatial) })")
          #expect(try await page.eventually("steps.slice(-5).some((step) => step < 3_500)"))
        }
        #expect(try await page.evaluate("requests()") as? Int == requests)
        #expect(try await page.evaluate("stage.video.videoWidth") as? Int == width)
      }
    }
  }
}
