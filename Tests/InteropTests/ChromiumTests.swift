import Foundation
import LinuxIO
import MediaBase
import MediaEngine
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

extension InteropTests {
  /// Chromium and native participants in one channel. One browser at a time: they are heavy.
  /// Behind a proxy the server does not know where who asks is: handshakes repeat a cookie.
  @Suite("Chromium", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumTests {
    private let server: TestServer
    private let address: String

    init() throws {
      server = try TestServer(isBehindProxy: true)
      address = server.address
    }

    private func engine(publishes: Bool) -> RTCEngine {
      RTCEngine(
        configuration: RTCEngineConfiguration(
          server: "ws://\(address)", videoSource: publishes ? TestPatternSource() : nil,
          audioSource: publishes ? ToneSource() : nil,
          videoEncoderConfiguration: VideoEncoderConfiguration(width: 640, height: 360, frameRate: 30)))
    }

    private static func join(_ engine: RTCEngine, uid: UInt, publishes: Bool) {
      let code = engine.joinChannel(
        token: nil, channelID: "show", uid: uid,
        options: ChannelMediaOptions(
          publishCameraTrack: publishes, publishMicrophoneTrack: publishes,
          clientRoleType: publishes ? .broadcaster : .audience))
      #expect(code == 0)
    }

    /// Begins to play through the page's own module; `stage.video` shows it.
    private static let playScript = """
      (async () => {
        const { play } = await import('/media.js')
        const video = Object.assign(document.createElement('video'), { autoplay: true })
        document.body.append(video)
        globalThis.stage = { video, session: await play('show', FROM, video) }
        return stage.session.uid
      })()
      """

    static func play(_ page: Page, from uid: UInt?) async throws {
      try await page.evaluate(FrameClockScript.text)
      try await page.evaluate(playScript.replacing("FROM", with: uid.map(String.init) ?? "null"))
    }

    /// Publishes the burnt-in clock of a canvas with the fake microphone.
    static func publish(_ page: Page, uid: UInt, picture: String = "clockStream(640, 360)") async throws {
      try await page.evaluate(FrameClockScript.text)
      let joined = try await page.evaluate(
        """
        (async () => {
          const { publish } = await import('/media.js')
          const stream = \(picture)
          const microphone = await navigator.mediaDevices.getUserMedia({ audio: true })
          stream.addTrack(microphone.getAudioTracks()[0])
          globalThis.show = await publish('show', \(uid), stream)
          return show.uid
        })()
        """)
      #expect(joined as? Int == Int(uid))
    }

    @Test("watches and hears a native user; the clock in its pixels is the publisher's and goes on")
    func watchesNative() async throws {
      let host = engine(publishes: true)
      defer { host.destroy() }
      Self.join(host, uid: 1, publishes: true)
      let browser = try await Browser()
      let page = try await browser.open("http://\(address)/")
      try await Self.play(page, from: 1)
      #expect(try await page.eventually("stage.video.videoWidth == 640 && readClock(stage.video) != null"))
      let first = try await page.evaluate("readClock(stage.video)") as? Double ?? 0
      let now = Double(MonotonicClock.now().nanoseconds) / 1_000
      #expect(first > 0 && first <= now)
      #expect(try await page.eventually("(readClock(stage.video) ?? 0) > \(first + 500_000)"))
      #expect(
        try await page.eventually(
          """
          (async () => [...(await stage.session.connection.getStats()).values()]
            .some((entry) => entry.type == 'inbound-rtp' && entry.kind == 'audio' && entry.totalAudioEnergy > 0))()
          """))
    }

    @Test(
      "publishes to a native user, who is told of it, sees the clock in the pixels and hears it; its end is told too")
    func publishesToNative() async throws {
      let viewer = engine(publishes: false)
      defer { viewer.destroy() }
      let seen = Mutex<(clocks: [MediaInstant], sounds: Int)>(([], 0))
      viewer.setRemoteVideoFrameObserver { remote in
        guard remote.uid == 7, let clock = FrameClock.read(remote.frame) else { return }
        seen.withLock { $0.clocks.append(clock) }
      }
      viewer.setAudioFrameObserver { observed in
        guard case .beforeMixing(_, 7) = observed.position,
          observed.frame.samples.contains(where: { abs(Int($0)) > 500 })
        else { return }
        seen.withLock { $0.sounds += 1 }
      }
      Self.join(viewer, uid: 2, publishes: false)
      let browser = try await Browser()
      let page = try await browser.open("http://\(address)/")
      try await Self.publish(page, uid: 7)
      #expect(await eventually { seen.withLock { $0.clocks.count > 30 && $0.sounds > 10 } })
      // The server's feedback lets its estimate of the path grow beyond what it begins with.
      #expect(
        try await page.eventually(
          """
          (async () => [...(await show.connection.getStats()).values()]
            .some((entry) => entry.type == 'candidate-pair' && entry.availableOutgoingBitrate > 1_000_000))()
          """))
      // The browser's reports tell when pictures were captured, by the clock of this machine.
      #expect(
        await eventually {
          viewer.statistics()?.remote.first { $0.uid == 7 }?.endToEndMilliseconds.map { $0 > 0 } ?? false
        })
      let clocks = seen.withLock { $0.clocks }
      #expect(zip(clocks, clocks.dropFirst()).allSatisfy { $0 <= $1 })
      try await page.evaluate("show.close()")
      #expect(try await Self.shows("[]", page))
    }

    @Test("publishes to another Chromium, which sees its clock; a viewer who comes late sees it too")
    func chromiumToChromium() async throws {
      let browser = try await Browser()
      let stage = try await browser.open("http://\(address)/")
      try await Self.publish(stage, uid: 7)
      for _ in 0..<2 {
        let viewer = try await browser.open("http://\(address)/")
        try await Self.play(viewer, from: nil)
        #expect(try await viewer.eventually("(readClock(stage.video) ?? 0) > 0"))
        let first = try await viewer.evaluate("readClock(stage.video)") as? Double ?? 0
        #expect(try await viewer.eventually("(readClock(stage.video) ?? 0) > \(first + 500_000)"))
        // Sound comes with redundancy: each packet repeats one that is there already, which is counted as discarded.
        #expect(
          try await viewer.eventually(
            """
            (async () => [...(await stage.session.connection.getStats()).values()].some((entry) =>
              entry.type == 'inbound-rtp' && entry.kind == 'audio' && entry.packetsReceived > 50
                && entry.packetsDiscarded > entry.packetsReceived / 2 && entry.totalAudioEnergy > 0))()
            """))
      }
    }

    @Test("goes on watching a user who leaves the stage and comes back")
    func publisherComesBack() async throws {
      let host = engine(publishes: true)
      defer { host.destroy() }
      Self.join(host, uid: 1, publishes: true)
      let browser = try await Browser()
      let page = try await browser.open("http://\(address)/")
      try await Self.play(page, from: 1)
      #expect(try await page.eventually("(readClock(stage.video) ?? 0) > 0"))
      for _ in 0..<2 {
        host.setClientRole(.audience)
        #expect(try await Self.shows("[]", page))
        let before = Double(MonotonicClock.now().nanoseconds) / 1_000
        host.setClientRole(.broadcaster)
        #expect(try await page.eventually("(readClock(stage.video) ?? 0) > \(before)"))
      }
    }

    @Test("a closed tab is gone from the channel at once")
    func closedTab() async throws {
      let browser = try await Browser()
      let page = try await browser.open("http://\(address)/")
      try await Self.publish(page, uid: 7)
      let other = try await browser.open("http://\(address)/")
      #expect(try await Self.shows("[7]", other))
      try await page.close()
      #expect(try await Self.shows("[]", other))
    }

    @Test("the page lists the channels, and shows one after a click")
    func page() async throws {
      let host = engine(publishes: true)
      defer { host.destroy() }
      Self.join(host, uid: 1, publishes: true)
      let browser = try await Browser()
      let page = try await browser.open("http://\(address)/")
      try await page.evaluate(FrameClockScript.text)
      #expect(try await page.eventually("[...document.querySelectorAll('#channels button')].length == 1"))
      try await page.evaluate("document.querySelector('#channels button').click()")
      #expect(try await page.eventually("readClock(document.getElementById('screen')) > 0"))
      #expect(
        try await page.eventually("document.getElementById('watch-status').textContent == 'Watching user 1 in show.'"))
      #expect(try await page.screenshot().count > 10_000)
    }

    /// Whether the server's list of channels, as a page gets it, comes to hold these broadcasters of the show.
    static func shows(_ broadcasters: String, _ page: Page) async throws -> Bool {
      try await page.eventually(
        """
        (async () => {
          const { channels } = await (await fetch('/v1/channels')).json()
          return JSON.stringify(channels.find(({ name }) => name == 'show')?.broadcasters ?? []) == '\(broadcasters)'
        })()
        """)
    }
  }
}
