import ChannelServer
import LinuxIO
import MediaBase
import TestSupport
import Testing

extension InteropTests {
  /// Chromium whose network changes or goes away.
  @Suite("Chromium and its network", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumNetworkTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    /// `transport()` is what the browser tells of the transport of `stage`.
    private static let transportScript = """
      globalThis.transport = async () => [...(await stage.session.connection.getStats()).values()]
        .find(({ type }) => type == 'transport')
      """

    /// Has the page send its media to another port than the one the server names.
    static func detour(_ page: Page, to port: UInt16) async throws {
      try await page.evaluate(
        """
        const direct = globalThis.fetch
        globalThis.fetch = async (...request) => {
          const response = await direct(...request)
          const text = await response.text()
          const detoured = new Response(
            text.replaceAll(/(candidate:.* 127\\.0\\.0\\.1 )\\d+/g, '$1\(port)') || null,
            { status: response.status, headers: response.headers })
          return Object.defineProperty(detoured, 'url', { value: response.url })
        }
        """)
    }

    @Test("an ICE restart changes the path while watching goes on, also when it is the second one")
    func restart() async throws {
      let host = Performer(at: server.address, uid: 1)
      defer { host.leave() }
      let browser = try await Browser()
      let page = try await browser.open("http://\(server.address)/")
      try await ChromiumTests.play(page, from: 1)
      #expect(try await page.eventually("(readClock(stage.video) ?? 0) > 0"))
      try await page.evaluate(Self.transportScript)
      for _ in 0..<2 {
        try await page.evaluate("(async () => { globalThis.before = await transport() })()")
        try await page.evaluate("stage.session.restart()")
        #expect(
          try await page.eventually(
            """
            (async () => {
              const { selectedCandidatePairId, iceLocalUsernameFragment, dtlsState } = await transport()
              return selectedCandidatePairId != before.selectedCandidatePairId && dtlsState == 'connected'
                && iceLocalUsernameFragment != before.iceLocalUsernameFragment
            })()
            """))
        let now = Double(MonotonicClock.now().nanoseconds) / 1_000
        #expect(try await page.eventually("(readClock(stage.video) ?? 0) > \(now + 500_000)"))
      }
      #expect(try await page.evaluate("stage.session.connection.connectionState") as? String == "connected")
    }

    @Test("a session that the server has ended is noticed by its page")
    func endedByServer() async throws {
      let browser = try await Browser()
      let page = try await browser.open("http://\(server.address)/")
      try await ChromiumTests.publish(page, uid: 7)
      try await page.evaluate("show.ended.then(() => { globalThis.hasEnded = true }); 0")
      // The same user comes from elsewhere.
      let other = try await browser.open("http://\(server.address)/")
      try await ChromiumTests.publish(other, uid: 7)
      #expect(try await page.eventually("globalThis.hasEnded === true && show.connection.connectionState == 'closed'"))
      #expect(try await ChromiumTests.shows("[7]", other))
    }

    @Test(
      "a NAT that gives a page another port is followed with its next check, without a restart; a publisher's network that is gone for six seconds too"
    )
    func rebinding() async throws {
      let host = Performer(at: server.address, uid: 1)
      defer { host.leave() }
      let viewer = Onlooker(at: server.address, watching: 7)
      defer { viewer.leave() }
      let relay = try Relay(to: TransportAddress(ipv4: 0x7F00_0001, port: server.udpPort))
      defer { relay.stop() }
      let browser = try await Browser()
      let page = try await browser.open("http://\(server.address)/")
      try await Self.detour(page, to: relay.port)
      try await ChromiumTests.publish(page, uid: 7)
      try await ChromiumTests.play(page, from: 1)
      #expect(try await page.eventually("(readClock(stage.video) ?? 0) > 0"))
      #expect(await eventually { viewer.pictures > 20 })
      // The page does nothing about it.
      try await page.evaluate("for (const session of [stage.session, show]) session.restart = async () => {}")
      for _ in 0..<2 {
        relay.rebind()
        let (now, count) = (Double(MonotonicClock.now().nanoseconds) / 1_000, viewer.pictures)
        #expect(try await page.eventually("(readClock(stage.video) ?? 0) > \(now + 500_000)"))
        #expect(await eventually { viewer.pictures > count + 20 })
      }
      try await page.evaluate("for (const session of [stage.session, show]) delete session.restart")
      relay.isOpen = false
      try await Task.sleep(nanoseconds: 6_000_000_000)
      let count = viewer.pictures
      relay.isOpen = true
      #expect(await eventually { viewer.pictures > count + 20 && !viewer.hasSeenItLeave })
      let now = Double(MonotonicClock.now().nanoseconds) / 1_000
      #expect(try await page.eventually("(readClock(stage.video) ?? 0) > \(now)"))
    }

    @Test(
      "a network that is gone for eight seconds costs these and no more: the page restarts ICE and goes on watching")
    func outage() async throws {
      let host = Performer(at: server.address, uid: 1)
      defer { host.leave() }
      let relay = try Relay(to: TransportAddress(ipv4: 0x7F00_0001, port: server.udpPort))
      defer { relay.stop() }
      let browser = try await Browser()
      let page = try await browser.open("http://\(server.address)/")
      try await Self.detour(page, to: relay.port)
      try await ChromiumTests.play(page, from: 1)
      #expect(try await page.eventually("(readClock(stage.video) ?? 0) > 0"))
      try await page.evaluate(Self.transportScript)
      try await page.evaluate("(async () => { globalThis.before = await transport() })()")
      relay.isOpen = false
      try await Task.sleep(nanoseconds: 8_000_000_000)
      let end = MonotonicClock.now()
      relay.isOpen = true
      #expect(
        try await page.eventually(
          "(readClock(stage.video) ?? 0) > \(Double(end.nanoseconds) / 1_000) && !stage.session.isClosed"))
      #expect(
        try await page.evaluate(
          "(async () => (await transport()).iceLocalUsernameFragment != before.iceLocalUsernameFragment)()") as? Bool
          == true)
    }
  }
}
