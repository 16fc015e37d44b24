import Foundation
import MediaBase
import TestSupport
import Testing

extension InteropTests {
  /// Chromium publishes a video in two encodings, and the way from the server to a viewer in another Chromium gets narrow.
  @Suite("Chromium behind a narrow line", .serialized, .timeLimit(.minutes(10)))
  struct ShrinkingLinkTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    /// `longestSilence()` is for how long at most no sound has come, in milliseconds. Times in which the page itself did
    /// not run do not count.
    private static let soundScript = """
      globalThis.received = async (kind) => [...(await stage.session.connection.getStats()).values()]
        .find((entry) => entry.type == 'inbound-rtp' && entry.kind == kind) ?? {}
      globalThis.sound = { count: 0, silence: 0, longest: 0, time: performance.now() }
      setInterval(async () => {
        const { packetsReceived = 0 } = await received('audio')
        const step = performance.now() - sound.time
        sound.time += step
        sound.silence = packetsReceived > sound.count || step > 300 ? 0 : sound.silence + step
        sound.count = packetsReceived
        sound.longest = Math.max(sound.longest, sound.silence)
      }, 100)
      """

    @Test(
      "the picture gets small when the line shrinks from 2.5 to 0.6 and 0.2 Mb/s, goes on, and is large when there is room; sound never pauses"
    )
    func shrinkingLink() async throws {
      let publisher = try await LonePage("http://\(server.address)/")
      try await ChromiumTests.publish(
        publisher.page, uid: 7, picture: "clockStream(640, 360, { rate: 15, isBusy: true })")
      let relay = try Relay(to: TransportAddress(ipv4: 0x7F00_0001, port: server.udpPort))
      defer { relay.stop() }
      let viewer = try await LonePage("http://\(server.address)/")
      let page = viewer.page
      try await ChromiumNetworkTests.detour(page, to: relay.port)
      try await ChromiumTests.play(page, from: 7)
      #expect(try await page.eventually("stage.video.videoWidth == 640 && readClock(stage.video) > 0"))
      try await page.evaluate(Self.soundScript)
      relay.narrow(bitsPerSecond: 2_500_000)
      #expect(try await Self.goesOn(page, milliseconds: 2_000))
      relay.narrow(bitsPerSecond: 600_000)
      #expect(try await page.eventually("stage.video.videoWidth == 320"))
      #expect(try await Self.goesOn(page, milliseconds: 3_000))
      relay.narrow(bitsPerSecond: 200_000)
      #expect(try await Self.goesOn(page, milliseconds: 4_000))
      #expect(try await page.evaluate("stage.video.videoWidth") as? Int == 320)
      relay.narrow(bitsPerSecond: 2_500_000)
      let isLarge = try await page.eventually("stage.video.videoWidth == 640", seconds: 60)
      let sent = try await Self.sent(publisher.page)
      let came = try await Self.received(page)
      #expect(isLarge, "sent: \(sent), received: \(came)")
      #expect(try await Self.goesOn(page, milliseconds: 1_000))
      let silence = try await page.evaluate("sound.longest") as? Double ?? .infinity
      #expect(silence < 1_000)
    }

    /// What the publisher sends of each encoding, for who reads of a failure.
    private static func sent(_ page: Page) async throws -> String {
      try await page.evaluate(
        """
        (async () => JSON.stringify([...(await show.connection.getStats()).values()]
          .filter((entry) => entry.type == 'candidate-pair' || entry.type == 'outbound-rtp' && entry.kind == 'video')
          .map((entry) => [entry.rid, entry.frameWidth, entry.framesPerSecond, entry.targetBitrate, entry.active,
            entry.qualityLimitationReason, entry.pliCount, entry.availableOutgoingBitrate])))()
        """) as? String ?? "nothing"
    }

    /// What the viewer receives of the picture.
    private static func received(_ page: Page) async throws -> String {
      try await page.evaluate(
        """
        (async () => { const { frameWidth, framesPerSecond, packetsLost, packetsReceived, nackCount, pliCount, jitter,
          bytesReceived, retransmittedPacketsReceived } = await received('video')
        return JSON.stringify({ frameWidth, framesPerSecond, packetsLost, packetsReceived, nackCount, pliCount, jitter,
          bytesReceived, retransmittedPacketsReceived }) })()
        """) as? String ?? "nothing"
    }

    /// Whether the clock in the pixels goes on for so long.
    private static func goesOn(_ page: Page, milliseconds: Double) async throws -> Bool {
      guard try await page.eventually("(globalThis.begin = readClock(stage.video) ?? 0) > 0") else { return false }
      return try await page.eventually("(readClock(stage.video) ?? 0) > begin + \(milliseconds * 1_000)", seconds: 30)
    }
  }
}
