import AccessTokens
import ChannelServer
import Foundation
import TestSupport
import Testing

extension InteropTests.CallsInBrowsers {
  /// Calls of callapi.js at a server that wants tokens.
  @Suite("Calls in browsers with tokens", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumTokenTests {
    private static let appID = "0123456789abcdef0123456789abcdef"
    private static let certificate = "fedcba9876543210fedcba9876543210"

    private func token(_ uid: UInt, channel: String = "R5") throws -> String {
      let services: [AccessTokenService] = [
        .rtc(RTCTokenService(channel: channel, uid: uid, publishes: true)),
        .signaling(SignalingTokenService(userID: String(uid))),
      ]
      return try AccessToken(
        appID: Self.appID, issueTime: UInt32(Date().timeIntervalSince1970), lifetime: 600, salt: 7, services: services
      ).text(certificate: Self.certificate, crypto: .system)
    }

    @Test("the page's panel calls with the token that is entered, and asks for one where it is missing")
    func panel() async throws {
      let server = try TestServer(tokens: TokenPolicy(appID: Self.appID, certificates: [Self.certificate]))
      let browser = try await Browser()
      let stranger = try await browser.open("http://\(server.address)/?uid=9")
      try await stranger.evaluate("document.getElementById('call-login').requestSubmit()")
      #expect(
        try await stranger.eventually(
          """
          document.getElementById('call-status').textContent.startsWith('This server needs a token')
            && !document.getElementById('access').hidden
          """))
      // Of two tabs, that behind draws one picture a second.
      let caller = try await CallPage(browser, at: server.address, uid: 5, token: token(5, channel: "*"))
      let callee = try await CallPage(Browser(), at: server.address, uid: 6, token: token(6, channel: "*"))
      try await caller.call(6)
      #expect(try await callee.says("User 5 calls you with video."))
      try await callee.accept()
      #expect(try await caller.says("In a call with user 6."))
      #expect(try await callee.says("In a call with user 5."))
      #expect(try await caller.seesClock())
      try await caller.hangUp()
    }

    @Test(
      "both sides see each other with tokens of their own, keep on when the network changes, and leave nothing behind")
    func call() async throws {
      let server = try TestServer(tokens: TokenPolicy(appID: Self.appID, certificates: [Self.certificate]))
      let page = try await LonePage("http://\(server.address)/")
      try await page.page.evaluate(FrameClockScript.text)
      try await page.page.evaluate(
        """
        (async () => {
          const { CallAPI } = await import('/callapi.js')
          globalThis.answers = []
          const ask = fetch
          globalThis.fetch = async (url, options) => {
            const response = await ask(url, options)
            if (options?.method) answers.push(`${options.method} ${response.status}`)
            return response
          }
          const tokens = { 5: '\(try token(5))', 6: '\(try token(6))' }
          globalThis.users = {}
          for (const userID of [5, 6]) {
            const signal = { send: async (text, to) => setTimeout(() => users[to].receive(text, userID)) }
            const view = Object.assign(document.createElement('video'), { playsInline: true })
            document.body.append(view)
            users[userID] = new CallAPI({ userID, signal, view, capture: async () => clockStream(320, 180) })
            users[userID].prepareForCall({ roomID: 'R5', tokenProvider: async (room, uid) => room === 'R5' ? tokens[uid] : null })
          }
          users[5].call(6)
        })()
        """)
      #expect(try await page.page.eventually("users[6].state == 2"))
      try await page.page.evaluate("users[6].accept(5); true")
      #expect(try await page.page.eventually("users[5].state == 4 && users[6].state == 4"))
      try await page.page.evaluate("dispatchEvent(new Event('online')); true")
      #expect(try await page.page.eventually("answers.filter((answer) => answer == 'PATCH 200').length == 4"))
      try await page.page.evaluate("users[5].hangup(6); true")
      // 404 when the server has seen the connection's end before.
      #expect(try await page.page.eventually("answers.filter((answer) => /DELETE (200|404)/.test(answer)).length == 4"))
      let refused = try await page.page.evaluate("answers.filter((answer) => / 40[13]/.test(answer)).join()") as? String
      #expect(refused == "")
    }
  }
}
