import CallAPI
import ChannelServer
import Foundation
import MediaEngine
import TestSupport
import Testing

/// The page's call panel against the native call layer. One browser at a time: they are heavy.
@Suite("Calls of Chromium", .serialized, .timeLimit(.minutes(5)))
struct ChromiumCallTests {
  private let server: ChannelServer
  private let address: String

  init() throws {
    server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
    address = "127.0.0.1:\(server.boundHTTPPort)"
  }

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
    "a native user calls Chromium, which shows who calls; nothing is seen before it accepts; the native side hangs up")
  func calledByNative() async throws {
    let native = await NativeUser(1, at: address)
    let page = try await CallPage(Browser(), at: address, uid: 7)
    native.calls.call(remoteUserID: 7)
    #expect(try await page.says("User 1 calls you with video."))
    #expect(try await page.page.evaluate("$('call-screen').hidden && $('call-screen').muted") as? Bool == true)
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
}
