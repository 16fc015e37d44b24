import CallAPI
import Foundation
import TestSupport
import Testing

extension InteropTests.CallsInBrowsers {
  /// Calls that do not come about, and how both sides are told.
  @Suite("Calls of Chromium that end early", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumCallEndTests {
    private let server: TestServer
    private var address: String { server.address }

    init() throws { server = try TestServer() }

    @Test("a call is rejected by Chromium, and by a native user")
    func reject() async throws {
      let native = await NativeUser(1, at: address, accepts: false)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      native.calls.call(remoteUserID: 7)
      #expect(try await page.says("User 1 calls you with video."))
      try await page.reject()
      #expect(try await page.says("You rejected the call."))
      #expect(await eventually { native.has(.prepared, .remoteRejected) })
      #expect(try await page.isQuiet())

      try await page.call(1)
      #expect(await eventually { native.has(.calling, .remoteVideoCall) })
      native.calls.reject(remoteUserID: 7, reason: "not now")
      #expect(try await page.says("User 1 rejected the call."))
      #expect(try await page.isQuiet())
      await native.end()
    }

    @Test("a call is cancelled by Chromium, and by a native user")
    func cancel() async throws {
      let native = await NativeUser(1, at: address, accepts: false)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      try await page.call(1)
      #expect(await eventually { native.has(.calling, .remoteVideoCall) })
      #expect(try await page.says("Calling user 1 …"))
      try await page.hangUp()
      #expect(try await page.says("You gave up the call."))
      #expect(await eventually { native.has(.prepared, .remoteCancelled) })
      #expect(try await page.isQuiet())

      native.calls.call(remoteUserID: 7)
      #expect(try await page.says("User 1 calls you with video."))
      native.calls.cancelCall()
      #expect(try await page.says("User 1 gave up the call."))
      #expect(try await page.isQuiet())
      await native.end()
    }

    @Test("a call that nobody answers ends for both when the time of the side that waits least is over")
    func timeout() async throws {
      let native = await NativeUser(1, at: address, accepts: false, timeout: 1_000)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      native.calls.call(remoteUserID: 7)
      #expect(try await page.says("The call with user 1 did not come about in time."))
      #expect(await eventually { native.has(.prepared, .callingTimeout) })
      #expect(try await page.isQuiet())
      await native.end()

      let patient = await NativeUser(2, at: address, accepts: false)
      try await page.page.evaluate(
        """
        (async () => {
          const { CallAPI } = await import('/callapi.js')
          const { SignalClient } = await import('/signal.js')
          const signal = new SignalClient()
          globalThis.told = []
          const view = document.createElement('video')
          const calls = new CallAPI({ userID: 8, signal, view, capture: captureForCall })
          calls.addListener({ onCallStateChanged: (state, reason) => told.push([state, reason].join()) })
          signal.onMessage = (text, from) => calls.receive(text, from)
          await signal.login(8)
          calls.prepareForCall({ callTimeoutMilliseconds: 1000 })
          calls.call(2)
        })()
        """)
      #expect(try await page.page.eventually("told.join(' ') == '1,0 2,30 1,14'"))
      #expect(await eventually { patient.has(.prepared, .remoteCallingTimeout) })
      await patient.end()
    }

    @Test("who calls Chromium during a call is told that it is busy, and the call goes on")
    func busy() async throws {
      let native = await NativeUser(1, at: address)
      let other = await NativeUser(2, at: address)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      try await page.call(1)
      #expect(try await page.says("In a call with user 1."))
      other.calls.call(remoteUserID: 7)
      #expect(await eventually { other.has(.prepared, .remoteCallBusy) })
      #expect(try await page.says("In a call with user 1."))
      #expect(try await page.seesClock())
      try await page.hangUp()
      #expect(await eventually { native.has(.prepared, .remoteHangup) })

      native.calls.call(remoteUserID: 2)
      #expect(await eventually { native.calls.state == .connected })
      try await page.call(1)
      #expect(try await page.says("User 1 is in another call."))
      #expect(try await page.isQuiet())
      await native.end()
      await other.end()
    }

    @Test("a closed tab ends the call for the other side at once")
    func closedTab() async throws {
      let native = await NativeUser(1, at: address)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      try await page.call(1)
      #expect(try await page.says("In a call with user 1."))
      try await page.page.close()
      #expect(await eventually { native.has(.prepared, .remoteHangup) })
      await native.end()
    }

    @Test("the page is told when the other side is gone without hanging up, and the call can still be ended")
    func otherSideGone() async throws {
      let native = await NativeUser(1, at: address)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      try await page.call(1)
      #expect(try await page.says("In a call with user 1."))
      #expect(try await page.seesClock())
      native.vanish()
      #expect(try await page.says("User 1 is gone; waiting whether it comes back …"))
      try await page.hangUp()
      #expect(try await page.says("You hung up."))
      #expect(try await page.isQuiet())
      await native.end()
    }
  }
}
