import ChannelServer
import Foundation
import TestSupport
import Testing

extension InteropTests {
  /// What the page says of the stage, and what it does when it or its server goes away and comes back.
  @Suite("Stage and audience of the page in Chromium", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumStageTests {
    private static func says(_ id: String, _ text: String, _ page: Page) async throws -> Bool {
      if try await page.eventually("document.getElementById('\(id)').textContent.includes('\(text)')") { return true }
      print("The page says:", try await page.evaluate("document.getElementById('\(id)').textContent") ?? "")
      return false
    }

    private static func click(_ id: String, _ page: Page) async throws {
      try await page.evaluate("document.getElementById('\(id)').click()")
    }

    /// Opens the page and goes on stage as user 7. The page's devices are `devices`.
    private static func stage(_ url: String) async throws -> LonePage {
      let stage = try await LonePage(url + "?uid=7")
      try await stage.page.evaluate(
        """
        const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
        navigator.mediaDevices.getUserMedia = async (wish) => globalThis.devices = await open(wish)
        document.getElementById('publish').requestSubmit()
        """)
      #expect(try await says("publish-status", "On stage in show as user 7.", stage.page))
      return stage
    }

    /// Whether camera and microphone are off, and the stage can be entered.
    private static func isOffStage(_ page: Page) async throws -> Bool {
      try await page.eventually(
        """
        globalThis.devices?.getTracks().length == 2 && devices.getTracks().every(({ readyState }) => readyState == 'ended')
          && document.getElementById('preview').srcObject == null && !document.getElementById('publish-start').hidden
        """)
    }

    @Test("who leaves the stage before camera and microphone are open has them closed again")
    func leavingEarly() async throws {
      let server = try TestServer()
      let lone = try await LonePage("http://\(server.address)/?uid=7")
      try await lone.page.evaluate(
        """
        const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
        const permission = new Promise((resolve) => { globalThis.permit = resolve })
        navigator.mediaDevices.getUserMedia = async (wish) => {
          await permission
          return globalThis.devices = await open(wish)
        }
        document.getElementById('publish').requestSubmit()
        document.getElementById('publish-stop').click()
        permit()
        """)
      #expect(try await Self.isOffStage(lone.page))
      #expect(try await lone.page.evaluate("document.getElementById('publish-status').textContent") as? String == "")
    }

    @Test("who watches is told in words that nobody is there, that the camera is off, and that the microphone is muted")
    func words() async throws {
      let server = try TestServer()
      let url = "http://\(server.address)/"
      let watching = try await LonePage(url + "?watch=7")
      let viewer = watching.page
      #expect(
        try await Self.says("watch-status", "User 7 is not on stage in show; the picture comes when it is.", viewer))
      #expect(try await Self.says("screen-note", "User 7 is not on stage", viewer))
      let watchingAnybody = try await LonePage(url)
      let any = watchingAnybody.page
      try await any.evaluate("document.getElementById('watch').requestSubmit()")
      #expect(
        try await Self.says("watch-status", "Nobody is on stage in show; the picture comes when somebody is.", any))

      let stage = try await Self.stage(url)
      #expect(try await Self.says("watch-status", "Watching user 7 in show.", viewer))
      #expect(try await Self.says("watch-status", "Watching show.", any))
      #expect(try await viewer.eventually("document.getElementById('screen-note').hidden"))
      try await Self.click("publish-mute-video", stage.page)
      #expect(try await Self.says("watch-status", "Watching user 7 in show. The camera is off.", viewer))
      #expect(try await Self.says("screen-note", "The camera is off", viewer))
      #expect(try await viewer.evaluate("document.getElementById('screen-note').hidden") as? Bool == false)
      try await Self.click("publish-mute-audio", stage.page)
      #expect(try await Self.says("watch-status", "The camera is off. The microphone is muted.", viewer))
      #expect(try await Self.says("watch-status", "Watching show. The camera is off. The microphone is muted.", any))
      try await Self.click("publish-mute-video", stage.page)
      #expect(try await Self.says("watch-status", "Watching user 7 in show. The microphone is muted.", viewer))
      #expect(try await viewer.eventually("document.getElementById('screen-note').hidden"))
      try await Self.click("publish-stop", stage.page)
      #expect(try await Self.says("watch-status", "User 7 has left the stage; the picture comes back when it", viewer))
      #expect(try await Self.says("watch-status", "Nobody is on stage in show", any))
    }

    @Test("the leave of a page whose media connection has ended before is taken, once: there is nothing to complain of")
    func lateLeave() async throws {
      let server = try TestServer()
      let lone = try await LonePage("http://\(server.address)/")
      try await ChromiumTests.publish(lone.page, uid: 7)
      try await lone.page.evaluate("show.connection.close()")
      #expect(
        try await lone.page.eventually(
          "(async () => (await (await fetch('/v1/channels')).json()).channels.length == 0)()", seconds: 60))
      try await lone.page.evaluate(
        """
        const direct = globalThis.fetch
        globalThis.statuses = []
        globalThis.fetch = async (...request) => {
          const response = await direct(...request)
          if (request[1]?.method == 'DELETE') statuses.push(response.status, (await direct(...request)).status)
          return response
        }
        show.close()
        """)
      #expect(try await lone.page.eventually("statuses.join(' ') == '200 404'"))
    }

    @Test("a page whose user number another page takes says so, closes its devices and does not come back by itself")
    func replaced() async throws {
      let server = try TestServer()
      let first = try await Self.stage("http://\(server.address)/")
      let second = try await Self.stage("http://\(server.address)/")
      #expect(try await Self.says("publish-status", "has come with this user number and has taken its", first.page))
      #expect(try await Self.isOffStage(first.page))
      #expect(try await Self.says("publish-status", "On stage in show as user 7.", second.page))
    }

    @Test("a page that watches asks a server that is gone less and less often what happens on stage")
    func patience() async throws {
      let server = try TestServer()
      let watching = try await LonePage("http://\(server.address)/")
      let viewer = watching.page
      // The list of channels is asked for every second.
      try await viewer.evaluate(
        """
        const direct = globalThis.fetch
        globalThis.failures = { events: 0, lists: 0 }
        globalThis.fetch = (...request) => direct(...request).catch((error) => {
          if (request[0] == '/v1/channels') failures.lists += 1
          throw error
        })
        globalThis.EventSource = class extends EventSource {
          constructor(url) {
            super(url)
            this.addEventListener('error', () => { failures.events += 1 })
          }
        }
        document.getElementById('watch').requestSubmit()
        """)
      // What a server has answered says how soon to ask again.
      let host = Performer(at: server.address, uid: 1)
      defer { host.leave() }
      #expect(try await Self.says("watch-status", "Watching show.", viewer))
      server.stop()
      #expect(try await viewer.eventually("failures.lists >= 6"))
      let count = try await viewer.evaluate("failures.events") as? Int ?? .max
      #expect((2...8).contains(count), "\(count)")
    }

    @Test("when the server is started again, pages go back on stage by themselves, muted as before, and are seen again")
    func restartedServer() async throws {
      var server = try TestServer()
      let (url, port) = ("http://\(server.address)/", server.port)
      let stage = try await Self.stage(url)
      try await Self.click("publish-mute-audio", stage.page)
      let watching = try await LonePage(url + "?watch=7")
      let viewer = watching.page
      #expect(try await Self.says("watch-status", "Watching user 7 in show. The microphone is muted.", viewer))
      #expect(try await viewer.eventually("document.getElementById('screen').videoWidth > 0"))
      try await viewer.evaluate("globalThis.before = document.getElementById('screen').srcObject; 0")
      server.stop()
      server = try TestServer(port: port)
      #expect(try await Self.says("publish-status", "joining again", stage.page))
      #expect(try await Self.says("publish-status", "On stage in show as user 7.", stage.page))
      #expect(try await Self.says("watch-status", "Watching user 7 in show. The microphone is muted.", viewer))
      #expect(
        try await viewer.eventually(
          """
          (({ srcObject, readyState, videoWidth }) => srcObject != before && readyState >= 2 && videoWidth > 0)(
            document.getElementById('screen'))
          """))
      #expect(try await stage.page.evaluate("devices.getVideoTracks()[0].readyState") as? String == "live")
      try await Self.click("publish-stop", stage.page)
      #expect(try await Self.says("watch-status", "User 7 has left the stage", viewer))
    }
  }
}
