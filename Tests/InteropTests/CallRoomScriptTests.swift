import CallAPI
import Foundation
import Signaling
import Synchronization
import TestSupport
import Testing

extension PageScriptTests {
  /// Calls and channels of the page: how a call's is encrypted, and that the application's own are left alone.
  @Suite("Channels of the page", .serialized, .timeLimit(.minutes(10)))
  struct CallRoomScriptTests {
    private let server: TestServer
    private var address: String { server.address }

    init() throws { server = try TestServer() }

    @Test(
      "encryption that is set while a room is being joined holds for all that is received and sent there",
      arguments: [true, false])
    func encryptedWhileJoining(hasAskedServer: Bool) async throws {
      let page = try await LonePage("http://\(address)/")
      try await page.page.evaluate(FrameClockScript.text)
      let result =
        try await page.page.evaluate(
          """
          (async () => {
            const { CallRoom } = await import('/callroom.js')
            globalThis.connections = []
            globalThis.RTCPeerConnection = class extends RTCPeerConnection {
              constructor(...values) {
                super(...values)
                connections.push(this)
              }
            }
            // The server's answers take long.
            const ask = fetch
            let release
            const held = new Promise((resolve) => { release = resolve })
            let askedCount = 0
            globalThis.fetch = async (url, options) => {
              if (options?.method !== 'POST') return ask(url, options)
              askedCount += 1
              const response = await ask(url, options)
              await held
              return response
            }
            globalThis.told = []
            const room = new CallRoom({
              room: 'R', token: '', uid: 7, peer: 8, isVideo: true, view: document.createElement('video'),
              capture: async () => clockStream(320, 180), report: ({ kind, message }) => told.push(message ?? kind),
            })
            room.join()
            await room.publish()
            while (\(hasAskedServer) && askedCount < 2) await new Promise((resolve) => setTimeout(resolve, 5))
            const before = connections.length
            room.encrypt({ media: '07'.repeat(32) })
            release()
            return before
          })()
          """) as? Double
      #expect(result == 2)
      // Both have been begun again; what had begun in the clear is closed and never told.
      #expect(try await page.page.eventually("told.includes('joined') && told.includes('localVideoPublished')"))
      let summary =
        try await page.page.evaluate(
          """
          connections.map((connection) => connection.connectionState === 'closed' ? 'closed'
            : connection.getTransceivers().every(({ direction, sender, receiver }) =>
                direction === 'sendonly' ? sender.transform : receiver.transform) ? 'encrypted' : 'clear').join()
          """) as? String
      #expect(summary == "closed,closed,encrypted,encrypted")
      let told = try await page.page.evaluate("told.filter((kind) => kind === 'joined' || / /.test(kind)).join('|')")
      #expect(told as? String == "joined")
    }

    @Test(
      "a call whose room is the show that the page publishes does not ring, and the show goes on; afterwards it rings")
    func ownShow() async throws {
      let browser = try await Browser()
      let native = await NativeUser(1, at: address, timeout: 1_500)
      let page = try await CallPage(browser, at: address, uid: 7)
      // The room of every call of the native user.
      try await page.page.evaluate(
        """
        $('publish-channel').value = 'room-of-1'
        $('publish-uid').value = 7
        $('publish').requestSubmit()
        """)
      #expect(try await page.page.eventually("$('publish-status').textContent == 'On stage in room-of-1 as user 7.'"))
      native.calls.call(remoteUserID: 7)
      #expect(await eventually { native.has(.prepared, .callingTimeout) })
      #expect(try await page.status() == "Others can call you at 7.")
      let show =
        "$('publish-status').textContent == 'On stage in room-of-1 as user 7.' && !$('publish-controls').hidden"
      #expect(try await page.page.evaluate(show) as? Bool == true)
      let watcher = try await browser.open("http://\(address)/?channel=room-of-1&watch=7")
      #expect(try await watcher.eventually("document.getElementById('screen').videoWidth > 0"))
      // Who is off the stage can be called to where it was.
      try await page.page.evaluate("$('publish-stop').click()")
      let preparations = native.steps.count { $0.state == .prepared }
      native.prepare(timeout: 15_000)
      #expect(await eventually { native.steps.count { $0.state == .prepared } > preparations })
      native.calls.call(remoteUserID: 7)
      #expect(try await page.says("User 1 calls you with video."))
      await native.end()
    }

    @Test(
      "a stranger's call does not keep the page out of the channel that it names: the show begins, and the call ends")
    func nextShow() async throws {
      let stranger = WebSocketSignalClient(url: "ws://\(address)")
      await withCheckedContinuation { continuation in stranger.login(uid: 3) { _ in continuation.resume() } }
      let answers = Mutex<[String]>([])
      stranger.addHandler { event in
        if case .message(let text, _) = event { answers.withLock { $0.append(text) } }
      }
      let page = try await CallPage(Browser(), at: address, uid: 7)
      try await page.page.evaluate(
        """
        globalThis.isThere = false
        const ask = fetch
        globalThis.fetch = async (url, options) => {
          const response = await ask(url, options)
          if (`${url}`.startsWith('/whep/show') && response.status === 201) isThere = true
          return response
        }
        """)
      var call = CallMessage(.videoCall, fromUserID: 3, callID: "theft")
      (call.fromRoomID, call.messageID) = ("show", 1)
      stranger.send(message: call.text, to: 7) { _ in }
      #expect(try await page.says("User 3 calls you with video."))
      // It waits there already, which gives the channel the profile of a call.
      #expect(try await page.page.eventually("isThere"))
      try await page.page.evaluate(
        """
        $('publish-channel').value = 'show'
        $('publish-uid').value = 7
        $('publish').requestSubmit()
        """)
      #expect(try await page.page.eventually("$('publish-status').textContent == 'On stage in show as user 7.'"))
      #expect(await eventually { answers.withLock { $0 }.contains { $0.contains(CallMessage.channelReason) } })
      #expect(try await page.says("You rejected the call."))
    }

    @Test(
      "a page that goes offline while the keys of its call are being made cancels the call before the signalling ends")
    func offline() async throws {
      let native = await NativeUser(1, at: address, accepts: false, encryption: .required)
      let page = try await CallPage(Browser(), at: address, uid: 7, encrypts: true)
      try await page.page.evaluate(
        """
        const make = crypto.subtle.generateKey.bind(crypto.subtle)
        crypto.subtle.generateKey = async (...values) => {
          globalThis.isMaking = true
          await new Promise((resolve) => setTimeout(resolve, 300))
          return make(...values)
        }
        """)
      try await page.call(1)
      #expect(try await page.page.eventually("globalThis.isMaking"))
      try await page.page.evaluate("$('call-logout').click()")
      #expect(await eventually { native.has(.prepared, .remoteCancelled) })
      #expect(native.has(.calling, .remoteVideoCall))
      #expect(try await page.page.eventually("!$('call-login').hidden && $('call-own').srcObject == null"))
      await native.end()
    }
  }
}
