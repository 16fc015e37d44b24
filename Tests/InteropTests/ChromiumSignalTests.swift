import CallAPI
import Foundation
import LinuxIO
import MediaBase
import TestSupport
import Testing

extension InteropTests.CallsInBrowsers {
  /// Being online in Chromium: what can go wrong, and what the page says.
  @Suite("Chromium's signalling", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumSignalTests {
    @Test("calling somebody who is not there says so; the next call may be made")
    func offline() async throws {
      let server = try TestServer()
      let page = try await CallPage(Browser(), at: server.address, uid: 7)
      try await page.page.evaluate(
        """
        globalThis.said = []
        new MutationObserver(() => said.push($('call-status').textContent)).observe($('call-status'), { childList: true })
        """)
      // What becomes of giving up the first call has come before the second one fails.
      for number in [99, 98] {
        try await page.call(UInt(number))
        #expect(try await page.says("Nobody is online with the number \(number). Try again later."))
        #expect(try await page.isQuiet())
      }
      let said = try await page.page.evaluate("said.join(' ')") as? String ?? "fail"
      #expect(said.contains("Calling user 98 …") && !said.contains("fail"), "\(said)")
    }

    @Test("without camera and microphone nobody is called, and a call is not accepted but may be rejected")
    func noDevices() async throws {
      let server = try TestServer()
      let native = await NativeUser(1, at: server.address)
      let page = try await CallPage(Browser(), at: server.address, uid: 7)
      try await page.page.evaluate("globalThis.captureForCall = async () => { throw new Error('No camera.') }")
      try await page.call(1)
      #expect(try await page.says("No camera."))
      #expect(native.calls.state == .prepared)
      native.calls.call(remoteUserID: 7)
      #expect(try await page.says("User 1 calls you with video."))
      try await page.accept()
      #expect(try await page.says("No camera."))
      #expect(native.calls.state == .calling)
      try await page.reject()
      #expect(await eventually { native.has(.prepared, .remoteRejected) })
      await native.end()
    }

    @Test("who logs in with a number that is online takes it over, and the older page says so")
    func duplicateLogin() async throws {
      let server = try TestServer()
      let browser = try await Browser()
      let older = try await CallPage(browser, at: server.address, uid: 7)
      let newer = try await CallPage(browser, at: server.address, uid: 7)
      #expect(try await older.page.eventually("$('call-status').classList.contains('problem')"))
      #expect(try await older.status().contains("elsewhere"))
      #expect(try await older.page.evaluate("!$('call-login').hidden && $('call-form').hidden") as? Bool == true)
      let native = await NativeUser(1, at: server.address)
      native.calls.call(remoteUserID: 7)
      #expect(try await newer.says("User 1 calls you with video."))
      await native.end()
    }

    @Test("a call outlives a restart of the server: both see each other again")
    func restartDuringCall() async throws {
      let first = try TestServer()
      let native = await NativeUser(1, at: first.address)
      let page = try await CallPage(Browser(), at: first.address, uid: 7)
      try await page.call(1)
      #expect(try await page.says("In a call with user 1."))
      #expect(await eventually { native.calls.state == .connected })
      let port = first.port
      first.stop()
      #expect(try await page.says("The server cannot be reached; trying again …"))
      let second = try TestServer(port: port)
      let (start, count) = (Double(MonotonicClock.now().nanoseconds) / 1_000, native.clocks.count)
      #expect(try await page.page.eventually("(readClock($('call-screen')) ?? 0) > \(start)"))
      #expect(await eventually { native.clocks.count > count + 30 })
      #expect(try await page.says("In a call with user 1."))
      native.calls.hangup(remoteUserID: 7)
      #expect(try await page.says("User 1 hung up."))
      await native.end()
      second.stop()
    }

    @Test("after a restart of the server the page is online again by itself, and can be called")
    func restart() async throws {
      let first = try TestServer()
      let page = try await CallPage(Browser(), at: first.address, uid: 7)
      let port = first.port
      first.stop()
      #expect(try await page.says("The server cannot be reached; trying again …"))
      let second = try TestServer(port: port)
      #expect(try await page.says("Others can call you at 7 again."))
      let native = await NativeUser(1, at: second.address)
      native.calls.call(remoteUserID: 7)
      #expect(try await page.says("User 1 calls you with video."))
      try await page.accept()
      #expect(try await page.seesClock())
      await native.end()
    }
  }
}
