import CallAPI
import Foundation
import MediaEngine
import TestSupport
import Testing

extension InteropTests.CallsInBrowsers {
  /// The page's call panel against the native call layer. One browser at a time: they are heavy.
  @Suite("Calls of Chromium", .serialized, .timeLimit(.minutes(10)))
  struct ChromiumCallTests {
    private let server: TestServer
    private var address: String { server.address }

    init() throws { server = try TestServer() }

    @Test("Chromium calls a native user with video: both see and hear each other until Chromium hangs up")
    func callsNative() async throws {
      let native = await NativeUser(1, at: address)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      try await page.call(1)
      #expect(try await page.says("In a call with user 1."))
      #expect(try await page.seesClock())
      #expect(await eventually { native.clocks.count > 10 && native.loudSounds > 5 })
      #expect(
        native.steps.map(\.state) == [.prepared, .calling, .connecting, .connected]
          && native.has(.calling, .remoteVideoCall) && native.has(.connecting, .localAccepted))
      try await page.hangUp()
      #expect(try await page.says("You hung up."))
      #expect(await eventually { native.has(.prepared, .remoteHangup) })
      #expect(try await page.isQuiet())
      await native.end()
    }

    @Test(
      "a native user calls Chromium, which shows who calls; nothing is seen before it accepts; the native side hangs up"
    )
    func calledByNative() async throws {
      let native = await NativeUser(1, at: address)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      native.calls.call(remoteUserID: 7)
      #expect(try await page.says("User 1 calls you with video."))
      #expect(try await page.page.evaluate("$('call-screen').hidden && $('call-screen').muted") as? Bool == true)
      #expect(try await page.page.evaluate("$('call-own').srcObject == null") as? Bool == true)
      #expect(native.clocks.isEmpty)
      try await page.accept()
      #expect(try await page.says("In a call with user 1."))
      #expect(try await page.seesClock())
      #expect(await eventually { native.clocks.count > 10 && native.loudSounds > 5 })
      #expect(native.has(.connected, .recvRemoteFirstFrame))
      native.calls.hangup(remoteUserID: 7)
      #expect(try await page.says("User 1 hung up."))
      #expect(try await page.isQuiet())
      await native.end()
    }

    @Test("an audio call carries sound both ways and no picture", arguments: [true, false])
    func audioOnly(isChromiumCalling: Bool) async throws {
      let native = await NativeUser(1, at: address)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      if isChromiumCalling {
        try await page.call(1, audioOnly: true)
      } else {
        native.calls.call(remoteUserID: 7, callType: .audio)
        #expect(try await page.says("User 1 calls you."))
        try await page.accept()
      }
      #expect(try await page.says("In a call with user 1."))
      #expect(try await page.hears())
      #expect(await eventually { native.loudSounds > 5 && native.calls.state == .connected })
      #expect(try await page.page.evaluate("$('call-screen').hidden && $('call-pictures').hidden") as? Bool == true)
      #expect(native.clocks.isEmpty)
      try await page.hangUp()
      #expect(await eventually { native.has(.prepared, .remoteHangup) })
      await native.end()
    }

    @Test("Chromium calls Chromium: both see each other until the one that was called hangs up")
    func chromiumToChromium() async throws {
      let browser = try await Browser()
      let caller = try await CallPage(browser, at: address, uid: 7)
      let callee = try await CallPage(browser, at: address, uid: 8)
      try await caller.call(8)
      #expect(try await callee.says("User 7 calls you with video."))
      try await callee.accept()
      #expect(try await caller.says("In a call with user 8."))
      #expect(try await callee.says("In a call with user 7."))
      #expect(try await caller.seesClock())
      #expect(try await callee.seesClock())
      try await callee.hangUp()
      #expect(try await caller.says("User 8 hung up."))
      #expect(try await caller.isQuiet())
      #expect(try await callee.isQuiet())
    }

    @Test("when both call at once the smaller uid's call wins, without a question", arguments: [UInt(1), 9])
    func glare(_ uid: UInt) async throws {
      let native = await NativeUser(uid, at: address, accepts: false)
      let page = try await CallPage(Browser(), at: address, uid: 7, delay: 700)
      native.calls.call(remoteUserID: 7)
      try await page.call(uid)
      #expect(try await page.says("In a call with user \(uid)."))
      #expect(try await page.seesClock())
      #expect(await eventually { native.clocks.count > 10 })
      #expect(native.has(.connecting, uid < 7 ? .remoteAccepted : .localAccepted))
      #expect(!native.has(.calling, .remoteVideoCall))
      try await page.hangUp()
      #expect(await eventually { native.has(.prepared, .remoteHangup) })
      await native.end()
    }

    @Test("the panel fits a phone held upright, before, during and after a call")
    func phone() async throws {
      let native = await NativeUser(1, at: address)
      let page = try await CallPage(Browser(), at: address, uid: 7)
      try await page.page.resize(width: 390, height: 844)
      let fits =
        "document.querySelector('main').scrollWidth <= 390 && $('call-status').getBoundingClientRect().width > 250"
      #expect(try await page.page.evaluate(fits) as? Bool == true)
      native.calls.call(remoteUserID: 7)
      #expect(try await page.says("User 1 calls you with video."))
      #expect(try await page.page.evaluate(fits) as? Bool == true)
      // Who rings need not be looked for.
      #expect(try await page.page.eventually(Self.isInView("call-accept")))
      try await page.accept()
      #expect(try await page.seesClock())
      #expect(try await page.page.evaluate(fits) as? Bool == true)
      #expect(try await page.page.eventually("\(Self.isInView("call-hangup")) && \(Self.isInView("call-screen"))"))
      try await page.hangUp()
      #expect(try await page.isQuiet())
      await native.end()
    }

    private static func isInView(_ id: String) -> String {
      """
      (() => {
        const { top, bottom, height } = $('\(id)').getBoundingClientRect()
        return height > 40 && top >= 0 && bottom <= innerHeight
      })()
      """
    }
  }
}
