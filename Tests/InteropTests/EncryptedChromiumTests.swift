import CallAPI
import Foundation
import MediaEngine
import Synchronization
import TestSupport
import Testing

extension InteropTests.CallsInBrowsers {
  /// Calls of Chromium that the server cannot see or hear.
  @Suite("Chromium and encryption between the ends", .serialized, .timeLimit(.minutes(10)))
  struct EncryptedChromiumTests {
    private final class Counter: Sendable {
      private let value = Mutex(0)
      var count: Int { value.withLock { $0 } }
      func add() { value.withLock { $0 += 1 } }
    }

    private let server: TestServer
    private var address: String { server.address }

    init() throws { server = try TestServer() }

    @Test(
      "a native user and Chromium see and hear each other, and the same digits; somebody else in the room gets nothing",
      arguments: [true, false])
    func withNative(isChromiumCalling: Bool) async throws {
      let native = await NativeUser(1, at: address, encryption: .required)
      let page = try await CallPage(Browser(), at: address, uid: 7, encrypts: true)
      if isChromiumCalling {
        try await page.call(1)
      } else {
        native.calls.call(remoteUserID: 7)
        #expect(try await page.says("User 1 calls you with video."))
        try await page.accept()
      }
      #expect(try await page.says("In a call with user \(native.uid)."))
      #expect(try await page.seesClock())
      #expect(try await page.hears())
      #expect(await eventually { native.clocks.count > 30 && native.loudSounds > 20 })
      let digits = try await page.digits()
      #expect(digits?.count == 14 && digits == native.calls.authenticationText)

      let stranger = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://\(address)"))
      let pictures = Counter()
      stranger.setRemoteVideoFrameObserver { _ in pictures.add() }
      let room = try #require(await room(of: page))
      #expect(
        stranger.joinChannel(
          token: nil, channelID: room, uid: 9,
          options: ChannelMediaOptions(channelProfile: .communication)) == 0)
      let before = native.clocks.count
      #expect(await eventually { native.clocks.count > before + 60 })
      #expect(pictures.count == 0)
      stranger.destroy()
      try await page.hangUp()
      #expect(await eventually { native.has(.prepared, .remoteHangup) })
      #expect(try await page.isQuiet())
      await native.end()
    }

    /// The channel, by what the server is asked for.
    private func room(of page: CallPage) async throws -> String? {
      let addresses = "performance.getEntriesByType('resource').map(({ name }) => name).join(' ')"
      let text = try await page.page.evaluate(addresses) as? String ?? ""
      return text.split(separator: " ").last { $0.contains("/whep/") }?
        .split(separator: "/").last?.split(separator: "?").first?.removingPercentEncoding
    }

    @Test("an audio call is heard on both sides")
    func audio() async throws {
      let native = await NativeUser(1, at: address, encryption: .required)
      let page = try await CallPage(Browser(), at: address, uid: 7, encrypts: true)
      try await page.call(1, audioOnly: true)
      #expect(try await page.says("In a call with user 1."))
      #expect(try await page.hears())
      #expect(await eventually { native.loudSounds > 20 })
      let digits = try await page.digits()
      #expect(digits != nil && digits == native.calls.authenticationText)
      await native.end()
    }

    @Test("Chromium and Chromium: encrypted without being asked, since both can")
    func chromiumToChromium() async throws {
      let browser = try await Browser()
      let caller = try await CallPage(browser, at: address, uid: 7)
      let callee = try await CallPage(browser, at: address, uid: 8)
      try await caller.call(8)
      #expect(try await callee.says("User 7 calls you with video."))
      try await callee.accept()
      #expect(try await caller.says("In a call with user 8."))
      #expect(try await caller.seesClock())
      #expect(try await callee.seesClock())
      #expect(try await callee.hears())
      let digits = (try await caller.digits(), try await callee.digits())
      #expect(digits.0 != nil && digits.0 == digits.1)
    }

    @Test("a frame that comes again is refused, also if pictures and sound of a new key came at once")
    func replays() async throws {
      let page = try await LonePage("http://\(address)/")
      let failures = try await page.page.evaluate(
        """
        (async () => {
          const { FrameEncryptor, FrameDecryptor } = await import('/sframe.js')
          const frame = new Uint8Array(50).fill(1)
          const decryptor = new FrameDecryptor('secret', 'room', 1)
          const sender = () => new FrameEncryptor('secret', 'room', 1)
          const [first, failures] = [sender(), []]
          const sealed = []
          for (let count = 0; count < 50; count++) {
            sealed.push([await first.encrypt(frame, 'video'), await first.encrypt(frame, 'audio')])
          }
          const open = ([picture, sound]) =>
            Promise.all([decryptor.decrypt(picture, 'video'), decryptor.decrypt(sound, 'audio')])
          for (const pair of sealed) if ((await open(pair)).includes(null)) failures.push('lost')
          for (const pair of sealed) if ((await open(pair)).some((opened) => opened)) failures.push('came again')
          // Of a sender that comes anew again and again only the last four keys count.
          const senders = Array.from({ length: 6 }, sender)
          for (const sender of senders) {
            if (!await decryptor.decrypt(await sender.encrypt(frame, 'video'), 'video')) failures.push('new key')
          }
          if (await decryptor.decrypt(await senders[0].encrypt(frame, 'video'), 'video')) failures.push('old key')
          const stranger = new FrameEncryptor('another', 'room', 1)
          if (await decryptor.decrypt(await stranger.encrypt(frame, 'video'), 'video')) failures.push('stranger')
          if (await decryptor.decrypt(frame, 'audio')) failures.push('in the clear')
          return failures.join()
        })()
        """)
      #expect(failures as? String == "")
    }

    @Test("whoever insists on encryption has no call with somebody who does not encrypt, and is told why")
    func refused() async throws {
      let native = await NativeUser(1, at: address)
      let page = try await CallPage(Browser(), at: address, uid: 7, encrypts: true)
      try await page.call(1)
      #expect(await eventually { native.has(.prepared, .remoteHangup) })
      #expect(native.clocks.isEmpty)
      #expect(!native.has(.connected, .recvRemoteFirstFrame))
      native.calls.call(remoteUserID: 7)
      #expect(await eventually { native.has(.prepared, .remoteRejected) })
      #expect(try await page.digits() == nil)
      await native.end()
    }
  }
}
