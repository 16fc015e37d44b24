import CallAPI
import Foundation
import TestSupport
import Testing

extension PageScriptTests {
  /// callapi.js in Chromium against `CallAPI`, also while keys are being made, which takes time in browsers only.
  @Suite("callapi.js and CallAPI", .serialized, .timeLimit(.minutes(10)))
  struct CallLayerTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    private func open() async throws -> LonePage {
      let page = try await LonePage("http://\(server.address)/")
      try await page.page.evaluate(CallLayerScript.text)
      return page
    }

    /// What both make of bursts.
    private func expectSame(_ bursts: [[CallLayerAction]], _ page: LonePage, _ name: String) async throws -> [String] {
      let script = try JSONSerialization.data(withJSONObject: bursts.map { $0.map(\.script) })
      let answer = try await page.page.evaluate("walk(\(String(decoding: script, as: UTF8.self)))") as? String ?? ""
      let scripted = try JSONDecoder().decode([[String]].self, from: Data(answer.utf8))
      let user = CallLayerUser()
      var lines: [String] = []
      for (index, burst) in bursts.enumerated() {
        let told = await user.take(burst)
        guard told == scripted[index] else {
          Issue.record("\(name), burst \(index) \(burst):\n\(told)\n\(scripted[index])")
          break
        }
        lines += told
      }
      return lines
    }

    @Test("requests are taken in order while keys are being made, and what is open when all ends fails")
    func stories() async throws {
      let page = try await open()
      let prepare = CallLayerAction.prepare(encryption: .required, isFirstFrameWaitingDisabled: true)
      let key = CallTwinKeys.peerPublicKey
      let rings = CallLayerAction.message(.videoCall, from: 3, id: "in", room: "R3", publicKey: key)
      let stories: [(String, [[CallLayerAction]])] = [
        ("a second call and a cancellation", [[prepare], [.call(3)], [.cancel, .call(3), .cancel]]),
        ("the end at once", [[prepare, .deinitialize]]),
        (
          "the end of a call that waits",
          [[prepare, .call(3), .cancel, .deinitialize, .hangUp(3)], [prepare, .call(3)]]
        ),
        ("a call and its end come", [[prepare], [rings, .message(.cancelCall, from: 3, id: "in")]]),
        ("accepted while it comes", [[prepare], [rings, .accept(3), .hangUp(3)], [.sent(isDelivered: true)]]),
        ("accepted and hung up", [[prepare], [.call(3)], [.message(.accept, from: 3, publicKey: key), .hangUp(3)]]),
        (
          "somebody else calls",
          [[prepare], [.call(3), .message(.videoCall, from: 9, id: "x", room: "R9", publicKey: key)]]
        ),
        ("the server hangs up", [[prepare], [rings, .accept(3)], [.message(.hangup, from: 3, id: "in", sender: 0)]]),
        (
          "a call to a channel that the application then joins itself", [[prepare], [rings], [.join("R3")], [rings]]
        ),
        (
          "the same, when the call has been accepted and is connected",
          [[prepare], [rings], [.accept(3)], [.join("R3")], [.sent(isDelivered: true)]]
        ),
        ("a call of one's own, whose room the application joins", [[prepare], [.call(3)], [.join("R3")]]),
        ("a call to one's own show", [[prepare], [.message(.videoCall, from: 3, id: "x", room: "elsewhere")]]),
      ]
      for (name, bursts) in stories {
        let lines = try await expectSame(bursts, page, name)
        if name.contains("joins itself") { #expect(lines.contains("state 1 5 \(CallMessage.channelReason)")) }
        if name.hasPrefix("the same") { #expect(lines.contains("state 1 9 \(CallMessage.channelReason)")) }
      }
    }

    @Test("a channel that waits for its token is no call's any more once the application has joined it")
    func takenWhileWaiting() async throws {
      let page = try await open()
      let bursts: [[CallLayerAction]] = [
        [.prepare(encryption: .off, isFirstFrameWaitingDisabled: true, hasTokens: true)],
        [.message(.videoCall, from: 3, id: "in", room: "R3")], [.accept(3)],
      ]
      let script = try JSONSerialization.data(withJSONObject: bursts.map { $0.map(\.script) })
      // Here with and without a word of the application's; in Swift when the token has come.
      for word in ["user.take({ do: 'join', room: 'R3' })", "user.channels.add('R3')"] {
        let told =
          try await page.page.evaluate(
            """
            (async () => {
              const user = layer()
              for (const burst of \(String(decoding: script, as: UTF8.self))) {
                for (const step of burst) user.take(step)
                await user.settle()
              }
              \(word)
              user.take({ do: 'token', token: 'T' })
              await user.settle()
              return user.log.filter((line) => /joins|state 1/.test(line)).join('|')
            })()
            """) as? String
        #expect(told == "state 1 0 |state 1 9 \(CallMessage.channelReason)")
      }
      let user = CallLayerUser()
      for burst in bursts { _ = await user.take(burst) }
      _ = await user.take([.join("R3")])
      let told = await user.take([.token("T")])
      #expect(told.contains("state 1 9 \(CallMessage.channelReason)") && !told.contains { $0.hasPrefix("joins") })
    }

    @Test("the token of a room is asked for before it is joined; what is to be done there waits, or is forgotten")
    func tokens() async throws {
      let page = try await open()
      let prepare = CallLayerAction.prepare(encryption: .off, isFirstFrameWaitingDisabled: true, hasTokens: true)
      let rings = CallLayerAction.message(.videoCall, from: 3, id: "in", room: "R3")
      let accepted = CallLayerAction.message(.accept, from: 3)
      let stories: [(String, [[CallLayerAction]], [String])] = [
        (
          "accepted before it comes",
          [[prepare], [.call(3)], [accepted], [.token("T")], [.hangUp(3)]],
          ["asked R5 5", "connected R5 5 5", "joins with T", "disconnected R5 5 5"]
        ),
        (
          "the caller's room", [[prepare], [rings], [.accept(3)], [.token("T")]],
          ["asked R3 5", "connected R3 3 5", "joins with T"]
        ),
        (
          "none, and nobody to ask",
          [[prepare], [.call(3)], [.token(nil)], [.cancel, .call(4)], [.token("failure")]],
          [
            "asked R5 5", "error 100 100 110 There is no token for the room.", "asked R5 5",
            "error 100 100 110 There is no token for the room.",
          ]
        ),
        (
          "an answer for a call that is over",
          [[prepare], [.call(3)], [.cancel, .call(4)], [.token("late")], [.token("good")]],
          ["asked R5 5", "asked R5 5", "joins with good"]
        ),
      ]
      for (name, bursts, expected) in stories {
        let lines = try await expectSame(bursts, page, name)
        let told = lines.filter { line in
          ["asked", "joins", "error", "connected", "disconnected"].contains { line.hasPrefix($0) }
        }
        #expect(told == expected, "\(name)")
      }
    }

    @Test("a token that the server refuses is replaced by another; one that is no better is told")
    func refusedTokens() async throws {
      let page = try await open()
      try await page.page.evaluate(
        """
        globalThis.shown = []
        globalThis.errors = 0
        globalThis.fetch = async (url, { headers }) => {
          shown.push(`${headers.Authorization} ${errors}`)
          return new Response('The token has expired.', { status: 401, headers: { 'Greenroom-Error': '109' } })
        }
        const user = layer({ listener: { onCallError: (event, type, code) => { errors += code === 109 && event === 100 ? 1 : 100 } } })
        let count = 0
        user.calls.prepareForCall({ roomID: 'R5', tokenProvider: async () => `t${++count}` })
        user.calls.call(3).catch(() => {})
        true
        """)
      #expect(try await page.page.eventually("shown.length >= 4"))
      let shown = try await page.page.evaluate("shown.slice(0, 4).join()") as? String
      #expect(shown == "Bearer t1 0,Bearer t2 0,Bearer t2 1,Bearer t3 1")
    }

    @Test("a token that ends soon is told of and replaced by another, which sessions that begin later show")
    func endingTokens() async throws {
      let page = try await open()
      try await page.page.evaluate(
        """
        globalThis.shown = []
        globalThis.sources = []
        globalThis.told = 0
        Object.assign(RTCPeerConnection.prototype, {
          async setRemoteDescription() {}, restartIce() {}, addEventListener() {}, getReceivers: () => [],
        })
        globalThis.EventSource = class {
          handlers = {}
          constructor() { sources.push(this) }
          addEventListener(kind, handler) { this.handlers[kind] = handler }
          close() {}
        }
        globalThis.fetch = async (url, { method, headers }) => {
          // The server has ended the session.
          if (method === 'PATCH') return new Response('', { status: 404 })
          if (method === 'POST') shown.push(headers.Authorization)
          const sse = '</whep/R5/1/sse>; rel="urn:ietf:params:whep:ext:core:server-sent-events"'
          const response = new Response('', { status: 201, headers: { Location: '/whep/R5/1', Link: sse } })
          return Object.defineProperty(response, 'url', { value: location.href })
        }
        globalThis.user = layer({ listener: { tokenPrivilegeWillExpire: () => { told += 1 } } })
        let count = 0
        user.calls.prepareForCall({ roomID: 'R5', tokenProvider: async () => `t${++count}` })
        user.calls.call(3).catch(() => {})
        true
        """)
      #expect(try await page.page.eventually("sources.length == 1"))
      try await page.page.evaluate(
        "sources[0].handlers.tokenWillExpire({ data: '{\"remainingMilliseconds\":30000}' }); true")
      #expect(try await page.page.eventually("told == 1"))
      #expect(try await page.page.evaluate("shown.join()") as? String == "Bearer t1")
      // Looks for the server again.
      try await page.page.evaluate("dispatchEvent(new Event('online')); true")
      #expect(try await page.page.eventually("shown.length == 2"))
      #expect(try await page.page.evaluate("shown.join()") as? String == "Bearer t1,Bearer t2")
    }

    @Test("both take random bursts alike, over many lives")
    func walks() async throws {
      let page = try await open()
      var lines: [String] = []
      for seed in 1...60 as ClosedRange<UInt64> {
        var walk = CallLayerWalk(seed: seed)
        lines += try await expectSame(walk.bursts(25), page, "walk \(seed)")
      }
      for wanted in [
        "deinitialized", "config is Empty", "connected R3 3 5", "digits true", "is in already", "pretends",
        "asked R3 5", "asked R5 5", "joins with good", "joins with next", "There is no token",
      ] {
        #expect(lines.contains { $0.contains(wanted) }, "\(wanted)")
      }
    }

    @Test("pages that are not secure can call, too: each call has a name and a room that nobody can guess")
    func insecurePages() async throws {
      let page = try await open()
      let result =
        try await page.page.evaluate(
          """
          (async () => {
            // As browsers have it on pages by http from another machine.
            for (const name of ['randomUUID', 'subtle']) Object.defineProperty(crypto, name, { value: undefined })
            const { CallAPI } = await import('/callapi.js')
            const names = []
            const signal = { send: async (text) => names.push(JSON.parse(text)) }
            const calls = new CallAPI({ userID: 5, signal, view: document.createElement('video'), capture: async () => null })
            await calls.prepareForCall()
            for (let count = 0; count < 20; count++) {
              await calls.call(3)
              await calls.cancelCall()
            }
            const all = names.filter(({ fromRoomId }) => fromRoomId).flatMap(({ callId, fromRoomId }) => [callId, fromRoomId])
            const isGood = (name) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(name)
            return `${all.length} ${new Set(all).size} ${all.every(isGood)}`
          })()
          """) as? String
      #expect(result == "40 40 true")
    }

    @Test("calls that are not taken cost no keys")
    func strangers() async throws {
      let page = try await open()
      let key = String(repeating: "07", count: 32)
      let work =
        try await page.page.evaluate(
          """
          (async () => {
            const user = layer()
            const say = (action, from, callId, fromRoomId) => user.calls.receive(JSON.stringify({
              message_version: '1.0', message_action: action, fromUserId: from, callId, fromRoomId, messageId: 1,
              e2ePublicKey: '\(key)',
            }), from)
            const counts = []
            const count = async () => {
              await user.settle()
              counts.push(keyWork)
              keyWork = 0
            }
            user.take({ do: 'prepare', encryption: 'required' })
            await count()
            user.take({ do: 'call', peer: 3 })
            await count()
            // A busy user, strangers who accept, another call, and one's own call again.
            for (let id = 0; id < 20; id++) say(0, 9, `x-${id}`, 'R9')
            say(2, 9, user.lastCallID)
            say(2, 3, 'another')
            say(0, 9, '', '')
            user.take({ do: 'call', peer: 4 })
            user.take({ do: 'prepare', encryption: 'required' })
            await count()
            say(2, 3, user.lastCallID)
            await count()
            return counts.join()
          })()
          """) as? String
      // A pair for the call; with the answer an exchange, and two keys from it.
      #expect(work == "0,1,0,3")
    }

    @Test("nothing of an old life comes in the new one: no answers, no timer, no channel")
    func lives() async throws {
      let page = try await open()
      let log =
        try await page.page.evaluate(
          """
          (async () => {
            const user = layer()
            user.tellsLeaving = true
            const { calls } = user
            calls.prepareForCall({ roomID: 'R5', callTimeoutMilliseconds: 40 })
            calls.call(3).catch(() => {})
            const [call] = user.open
            calls.deinitialize()
            calls.prepareForCall({ roomID: 'R5', callTimeoutMilliseconds: 0 })
            const { callID } = calls
            calls.call(3).catch(({ message }) => user.log.push(message))
            user.log.push('--')
            call.reject(new Error('late'))
            await pause(100)
            return [...user.log, `${callID === ''} ${calls.state}`].join('|')
          })()
          """) as? String
      #expect(
        log
          == [
            "state 1 0 ", "send 0 to 3, key false", "state 2 30 ", "event 140", "event 10", "send 1 to 3, key false",
            "state 1 11 ", "event 109", "state 0 0 ", "event 1", "state 1 0 ", "send 0 to 3, key false", "state 2 30 ",
            "event 140", "event 10", "--", "true 2",
          ].joined(separator: "|"))
    }

    @Test("limits longer than a browser's timers can be do not end a call at once")
    func longLimits() async throws {
      let page = try await open()
      let log =
        try await page.page.evaluate(
          """
          (async () => {
            const user = layer()
            for (const callTimeoutMilliseconds of [2 ** 31, 1e12]) {
              user.calls.prepareForCall({ roomID: 'R5', callTimeoutMilliseconds })
              user.calls.call(3).catch(() => {})
              await pause(100)
              user.log.push(`still ${user.calls.state}`)
              user.calls.hangup(3).catch(() => {})
            }
            return user.log.filter((line) => line.startsWith('still')).join('|')
          })()
          """) as? String
      #expect(log == "still 2|still 2")
    }

    @Test("listeners that throw at everything, extensions and signalling that do: calls go on, and requests end")
    func exceptions() async throws {
      let page = try await open()
      let key = CallTwinKeys.peerPublicKey
      let bursts: [[CallLayerAction]] = [
        [.prepare(encryption: .preferred, isFirstFrameWaitingDisabled: true)],
        [.call(3)], [.sent(isDelivered: true), .message(.accept, from: 3, publicKey: key)], [.hangUp(3)],
        [.sent(isDelivered: false)], [.message(.videoCall, from: 3, id: "in", room: "R3", publicKey: key)],
        [.accept(3), .text("?", from: 3)], [.message(.hangup, from: 3, id: "in")], [.call(3), .deinitialize],
      ]
      let script = try JSONSerialization.data(withJSONObject: bursts.map { $0.map(\.script) })
      let same =
        try await page.page.evaluate(
          """
          (async () => {
            const asked = new Set()
            const thrower = new Proxy({}, { get: (_, name) => (...values) => {
              asked.add(name)
              throw new Error(name)
            } })
            const transcripts = []
            for (const listener of [undefined, thrower]) {
              const user = layer({ listener })
              const parts = []
              for (const burst of \(String(decoding: script, as: UTF8.self))) {
                user.ownCallID = user.lastCallID
                for (const step of burst) user.take(step)
                await user.settle()
                parts.push([...user.log, ...user.endings].join())
              }
              transcripts.push(parts.join())
            }
            const whole = ['state 4', 'deinitialize: done', 'fail to parse'].every((part) => transcripts[1].includes(part))
            return [transcripts[0] === transcripts[1], whole, ...[...asked].sort()].join()
          })()
          """) as? String
      #expect(
        same == "true,true,callDebugInfo,canJoinRTCOnCalling,onCallConnected,onCallDisconnected,onCallError,"
          + "onCallEventChanged,onCallStateChanged")
      let endings =
        try await page.page.evaluate(
          """
          (async () => {
            const { CallAPI } = await import('/callapi.js')
            const parts = []
            const note = (promise) => promise.then(() => parts.push('done'), ({ message }) => parts.push(message))
            const signal = { send() { throw new Error('no signalling') } }
            const calls = new CallAPI({ userID: 5, signal, view: document.createElement('video'), capture: async () => null })
            await calls.prepareForCall()
            note(calls.call(3, 0, { big: 1n }))
            await pause(10)
            await calls.cancelCall().catch(() => {})
            note(calls.call(3))
            await pause(10)
            await note(calls.deinitialize())
            return parts.join('|')
          })()
          """) as? String
      #expect(endings == "Do not know how to serialize a BigInt|no signalling|done")
    }

    @Test(
      "a listener without an opinion does not keep a call out of its channel; a no of one does, unless another says yes"
    )
    func opinions() async throws {
      let page = try await open()
      let text = CallLayerAction.message(.videoCall, from: 3, id: "in", room: "R3").script["text"] as? String ?? ""
      let joined =
        try await page.page.evaluate(
          """
          (async () => {
            const answers = []
            for (const opinions of [[undefined], [null, false], [false, true], [true, false], []]) {
              const user = layer()
              for (const opinion of opinions) user.calls.addListener({ canJoinRTCOnCalling: () => opinion })
              await user.calls.prepareForCall()
              user.calls.receive(\(try Self.quoted(text)), 3)
              answers.push(user.log.includes('event 10'))
            }
            return answers.join()
          })()
          """) as? String
      #expect(joined == "true,false,true,true,true")
    }

    private static func quoted(_ text: String) throws -> String {
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
  }
}
