import ChannelServer
import Foundation
import TestSupport
import Testing

extension InteropTests {
  /// The server's page as a person uses it.
  @Suite("The page in Chromium", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumPageTests {
    private static func says(_ id: String, _ text: String, _ page: Page) async throws -> Bool {
      if try await page.eventually("document.getElementById('\(id)').textContent.includes('\(text)')") { return true }
      print("The page says:", try await page.evaluate("document.getElementById('\(id)').textContent") ?? "")
      return false
    }

    /// Whether nothing is cut off at the side, and what a finger touches is large enough for it.
    static let fits = """
      document.documentElement.scrollWidth <= innerWidth
        && [...document.querySelectorAll('button, input, select')].every((element) => {
          const { left, right, height } = element.getBoundingClientRect()
          return height === 0 || (left >= 0 && right <= innerWidth && height >= 40)
        })
      """

    @Test(
      "what goes wrong is told in sentences: no camera, no room, a publisher who leaves, a server that is gone; the page fits screens of both kinds"
    )
    func sentences() async throws {
      var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true)
      configuration.maximumSessionCountPerAddress = 1
      let server = ChannelServer(configuration: configuration)
      try server.start()
      let address = "127.0.0.1:\(server.boundHTTPPort)"
      let host = Performer(at: address, uid: 1)
      defer { host.leave() }
      let browser = try await Browser()
      let page = try await browser.open("http://\(address)/?uid=7")
      try await page.evaluate(FrameClockScript.text)
      #expect(try await page.eventually("document.querySelectorAll('#channels button').length == 1"))
      try await page.evaluate("document.querySelector('#channels button').click()")
      #expect(try await Self.says("watch-status", "Watching user 1 in show.", page))
      #expect(try await page.eventually("readClock(document.getElementById('screen')) > 0"))
      for (width, height, isMobile) in [(1_280, 800, false), (390, 844, true), (320, 568, true)] {
        try await page.resize(width: width, height: height, isMobile: isMobile)
        #expect(try await page.eventually("innerWidth == \(width)"))
        #expect(try await page.evaluate(Self.fits) as? Bool == true)
        #expect(try await page.screenshot().count > 10_000)
      }

      // Its one session is in use.
      try await page.evaluate("document.getElementById('publish').requestSubmit()")
      #expect(try await Self.says("publish-status", "Your address has too many sessions; end some of them.", page))
      try await page.evaluate(
        """
        navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError') }
        document.getElementById('publish').requestSubmit()
        """)
      #expect(try await Self.says("publish-status", "The browser may not use camera and microphone.", page))
      #expect(try await page.evaluate("document.getElementById('publish-start').hidden") as? Bool == false)

      host.step(onStage: false)
      #expect(try await Self.says("watch-status", "User 1 has left the stage", page))
      host.step(onStage: true)
      #expect(try await Self.says("watch-status", "Watching user 1 in show.", page))
      server.stop()
      #expect(try await Self.says("server-status", "The server cannot be reached.", page))
      try await page.evaluate("document.getElementById('publish').requestSubmit()")
      #expect(try await Self.says("publish-status", "The browser may not use camera and microphone.", page))
    }

    @Test("who watches chooses the size of the picture on the page")
    func layerChoice() async throws {
      let server = try TestServer()
      let stage = try await LonePage("http://\(server.address)/")
      try await ChromiumTests.publish(stage.page, uid: 7)
      let viewer = try await LonePage("http://\(server.address)/?watch=7")
      try await viewer.page.evaluate("globalThis.screenWidth = () => document.getElementById('screen').videoWidth")
      #expect(try await viewer.page.eventually("screenWidth() == 640"))
      for (value, width) in [("0", 320), ("", 640), ("0", 320)] {
        try await viewer.page.evaluate(
          """
          document.getElementById('watch-layer').value = '\(value)'
          document.getElementById('watch-layer').dispatchEvent(new Event('change'))
          """)
        #expect(try await viewer.page.eventually("screenWidth() == \(width)"))
      }
      // It holds for whoever is watched next.
      try await viewer.page.evaluate("document.getElementById('watch-stop').click()")
      #expect(try await viewer.page.eventually("document.querySelectorAll('#channels button').length == 1"))
      try await viewer.page.evaluate("document.querySelector('#channels button').click()")
      #expect(try await viewer.page.eventually("screenWidth() == 320"))
    }
  }
}
