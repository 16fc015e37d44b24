import AccessTokens
import ChannelServer
import Foundation
import MediaEngine
import Synchronization
import TestSupport
import Testing

extension InteropTests {
  /// What the page does beside watching and publishing: muting, and showing tokens.
  @Suite("Mutes and tokens of the page in Chromium", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumPageAccessTests {
    /// A native user who notes what it is told of the tracks of user 7.
    private final class Listener: RTCEngineDelegate {
      private let log = Mutex<[String]>([])
      private let engine: RTCEngine

      init(at address: String) {
        engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://\(address)"))
        engine.addDelegate(self)
        engine.joinChannel(
          token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions(clientRoleType: .audience))
      }

      func rtcEngine(
        _ engine: RTCEngine, connection: RTCConnection, remoteVideoStateChangedOfUID uid: UInt, state: RemoteVideoState,
        reason: RemoteVideoStateReason, elapsed: Int
      ) { log.withLock { $0.append("video \(state) \(reason.rawValue)") } }

      func rtcEngine(
        _ engine: RTCEngine, connection: RTCConnection, remoteAudioStateChangedOfUID uid: UInt, state: RemoteAudioState,
        reason: RemoteAudioStateReason, elapsed: Int
      ) { log.withLock { $0.append("audio \(state) \(reason.rawValue)") } }

      /// Whether the entries come one after the other; others may stand between.
      func eventually(_ entries: [String]) async -> Bool {
        let hasCome = await TestSupport.eventually {
          var rest = entries[...]
          for entry in self.log.withLock({ $0 }) where entry == rest.first { rest = rest.dropFirst() }
          return rest.isEmpty
        }
        if !hasCome { print(log.withLock { $0 }) }
        return hasCome
      }

      func leave() { engine.destroy() }
    }

    private static func says(_ id: String, _ text: String, _ page: Page) async throws -> Bool {
      if try await page.eventually("document.getElementById('\(id)').textContent.includes('\(text)')") { return true }
      print("The page says:", try await page.evaluate("document.getElementById('\(id)').textContent") ?? "")
      return false
    }

    private static func fits(_ page: Page) async throws -> Bool {
      for (width, height, isMobile) in [(1_280, 800, false), (390, 844, true), (320, 568, true)] {
        try await page.resize(width: width, height: height, isMobile: isMobile)
        guard try await page.eventually("innerWidth == \(width)"),
          try await page.evaluate(ChromiumPageTests.fits) as? Bool == true, try await page.screenshot().count > 10_000
        else { return false }
      }
      return true
    }

    @Test("who mutes microphone or camera on the page is muted to native users, and heard and seen again afterwards")
    func mutes() async throws {
      let server = try TestServer()
      let listener = Listener(at: server.address)
      defer { listener.leave() }
      let stage = try await LonePage("http://\(server.address)/?uid=7")
      try await stage.page.evaluate("document.getElementById('publish').requestSubmit()")
      #expect(try await Self.says("publish-status", "On stage in show as user 7.", stage.page))
      #expect(try await Self.fits(stage.page))
      #expect(await listener.eventually(["video starting 0", "video decoding 6"]))
      for kind in ["audio", "video"] {
        let button = "document.getElementById('publish-mute-\(kind)')"
        try await stage.page.evaluate("\(button).click()")
        #expect(await listener.eventually(["\(kind) stopped 5"]))
        #expect(try await stage.page.evaluate("\(button).getAttribute('aria-pressed')") as? String == "true")
        try await stage.page.evaluate("\(button).click()")
        #expect(await listener.eventually(["\(kind) stopped 5", "\(kind) decoding 6"]))
      }
      #expect(try await Self.says("publish-status", "On stage in show as user 7.", stage.page))
    }

    private static let appID = "0123456789abcdef0123456789abcdef"
    private static let certificate = "fedcba9876543210fedcba9876543210"

    private static func token(uid: UInt, publishes: Bool) throws -> String {
      try AccessToken(
        appID: appID, issueTime: UInt32(Date().timeIntervalSince1970), lifetime: 600, salt: 7,
        services: [.rtc(RTCTokenService(channel: "show", uid: uid, publishes: publishes))]
      ).text(certificate: certificate, crypto: .system)
    }

    @Test(
      "a server with tokens is not said to be gone: the page asks for a token, keeps it, and says what is wrong with it"
    )
    func tokens() async throws {
      var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: false)
      configuration.tokens = TokenPolicy(appID: Self.appID, certificates: [Self.certificate])
      let server = ChannelServer(configuration: configuration)
      try server.start()
      defer { server.stop() }
      let url = "http://127.0.0.1:\(server.boundHTTPPort)/?uid=7"
      let stage = try await LonePage(url)
      let page = stage.page
      #expect(try await Self.says("no-channels", "This server does not list its channels.", page))
      #expect(try await page.evaluate("document.getElementById('server-status').textContent") as? String == "")
      #expect(try await Self.fits(page))
      func enter(_ token: String) async throws {
        try await page.evaluate(
          """
          document.getElementById('access-token').value = '\(token)'
          document.getElementById('access-token').dispatchEvent(new Event('input', { bubbles: true }))
          document.getElementById('publish').requestSubmit()
          """)
      }
      try await enter("")
      #expect(try await Self.says("publish-status", "This server needs a token", page))
      try await enter(try Self.token(uid: 7, publishes: false))
      #expect(try await Self.says("publish-status", "The token does not allow to publish", page))
      try await enter(try Self.token(uid: 7, publishes: true))
      #expect(try await Self.says("publish-status", "On stage in show as user 7.", page))
      // Sessions end with the page's goodbye, for which the token has to be shown too.
      try await page.evaluate("document.getElementById('publish-stop').click()")
      try await page.reload()
      #expect(try await page.eventually("document.getElementById('access-token')?.value.length > 20"))
      #expect(try await page.evaluate("localStorage.length") as? Int == 0)
      try await page.evaluate("document.getElementById('publish').requestSubmit()")
      #expect(try await Self.says("publish-status", "On stage in show as user 7.", page))

      let viewer = try await LonePage(url)
      try await viewer.page.evaluate(
        """
        document.getElementById('access-token').value = '\(try Self.token(uid: 9, publishes: false))'
        document.getElementById('access-uid').value = '9'
        document.getElementById('watch').requestSubmit()
        """)
      #expect(try await viewer.page.eventually("document.getElementById('screen').videoWidth > 0"))
      #expect(try await Self.says("watch-status", "Watching show.", viewer.page))
    }
  }
}
