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

    private func token(_ uid: UInt) throws -> String {
      let service = AccessTokenService.rtc(RTCTokenService(channel: "R5", uid: uid, publishes: true))
      return try AccessToken(
        appID: Self.appID, issueTime: UInt32(Date().timeIntervalSince1970), lifetime: 600, salt: 7, services: [service]
      ).text(certificate: Self.certificate, crypto: .system)
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
