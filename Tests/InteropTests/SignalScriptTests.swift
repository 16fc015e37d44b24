import TestSupport
import Testing

extension PageScriptTests {
  /// signal.js in Chromium with a server that says what the test wants.
  @Suite("signal.js", .serialized, .timeLimit(.minutes(10)))
  struct SignalScriptTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    /// Makes `client()`: a `SignalClient`, and `sockets`, which the test plays the server of.
    private static let script = """
      (async () => {
        const { SignalClient } = await import('/signal.js')
        globalThis.sockets = []
        globalThis.WebSocket = class {
          written = []
          constructor() { sockets.push(this) }
          send(text) { this.written.push(JSON.parse(text)) }
          close() {}
          say(response) { this.onmessage({ data: JSON.stringify(response) }) }
        }
        globalThis.pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
        globalThis.log = []
        globalThis.note = (name, promise) =>
          promise.then(() => log.push(`${name}: done`), ({ message }) => log.push(`${name}: ${message}`))
        globalThis.client = () => new SignalClient('ws://nowhere')
      })()
      """

    private func log(_ body: String) async throws -> String {
      let page = try await LonePage("http://\(server.address)/")
      try await page.page.evaluate(Self.script)
      return try await page.page.evaluate("(async () => {\(body)\nreturn log.join('|')})()") as? String ?? ""
    }

    @Test(
      "a server that cannot be reached for a first login is told as that; one that is lost later, as being looked for")
    func unreachable() async throws {
      let log = try await log(
        """
        const signal = client()
        signal.onConnectionStateChanged = (state, cause) => log.push([state, cause?.message].join(' '))
        note('login', signal.login(7))
        sockets[0].onclose()
        await pause(0)
        signal.login(7)
        sockets[1].onopen()
        sockets[1].say({ type: 'loggedIn' })
        sockets[1].onclose()
        await pause(0)
        signal.logout()
        """)
      let unreachable = "The signalling server cannot be reached; check its address and the network, and log in again."
      let lost = "The connection to the signalling server is lost; it is being made again. Try again."
      #expect(
        log
          == "connecting |disconnected \(unreachable)|login: \(unreachable)|connecting |connected |reconnecting \(lost)"
      )
    }

    @Test("a text lives as long as its sender says, and fails then; 15 s if that says nothing")
    func lives() async throws {
      let log = try await log(
        """
        const signal = client()
        signal.login(7)
        note('waits', signal.send('waits', 3, { timeToLive: 20 }))
        await pause(60)
        sockets[0].onopen()
        sockets[0].say({ type: 'loggedIn' })
        for (const timeToLive of [30_000, 5_000, 1e12, null, undefined]) signal.send('x', 3, { timeToLive }).catch(() => {})
        signal.send('x', 3).catch(() => {})
        // A little of it may be over.
        for (const { type, timeToLive } of sockets[0].written) if (type === 'send') log.push(Math.ceil(timeToLive / 1_000))
        """)
      #expect(
        log == "waits: The connection to the signalling server is lost; it is being made again. Try again."
          + "|30|5|600|15|15|15")
    }

    @Test("a handler may log in again at once when a login is refused: the new one is not touched by the old one's end")
    func refusedLogin() async throws {
      let log = try await log(
        """
        const signal = client()
        signal.onConnectionStateChanged = (state, cause) => {
          log.push([state, cause?.message].join(' '))
          if (state === 'disconnected' && cause) note('second', signal.login(8))
        }
        note('first', signal.login(7))
        sockets[0].onopen()
        sockets[0].say({ type: 'error', code: 110, message: 'Not you.' })
        await pause(0)
        sockets[1].onopen()
        sockets[1].say({ type: 'loggedIn' })
        await pause(0)
        log.push(signal.uid, signal.connectionState)
        """)
      #expect(
        log == "connecting |disconnected Not you.|first: Not you.|connecting |connected |second: done|8|connected")
    }

    @Test(
      "who is removed and logs in again in the handler sends at once; what waited before fails, and is not sent again")
    func removed() async throws {
      let log = try await log(
        """
        const signal = client()
        signal.onConnectionStateChanged = (state, cause) => {
          if (!cause) return
          log.push(state)
          note('again', signal.login(7))
          note('new', signal.send('new', 3))
        }
        signal.login(7)
        sockets[0].onopen()
        sockets[0].say({ type: 'loggedIn' })
        note('old', signal.send('old', 3))
        sockets[0].say({ type: 'removed', code: 19, message: 'Elsewhere.' })
        await pause(0)
        sockets[1].onopen()
        sockets[1].say({ type: 'loggedIn' })
        const { requestID } = sockets[1].written.find(({ type }) => type === 'send')
        sockets[1].say({ type: 'delivered', requestID })
        await pause(0)
        log.push(...sockets[1].written.map(({ type, message }) => `${type} ${message}`))
        """)
      #expect(
        log == "disconnected|old: Not logged in for signalling; log in first.|again: done|new: done"
          + "|login undefined|send new")
    }

    @Test(
      "a handler that logs out while the connection is being made again ends it; one that throws leaves nothing undone")
    func handlers() async throws {
      let log = try await log(
        """
        const signal = client()
        signal.onConnectionStateChanged = (state) => {
          log.push(state)
          if (state === 'reconnecting') signal.logout()
          if (state === 'connected') throw new Error('The page fails.')
        }
        note('login', signal.login(7))
        sockets[0].onopen()
        sockets[0].say({ type: 'loggedIn' })
        await pause(0)
        sockets[0].onclose()
        await pause(500)
        log.push(sockets.length)
        """)
      #expect(log == "connecting|connected|login: done|reconnecting|disconnected|1")
    }

    @Test("only numbers of users can be called")
    func numbersOfUsers() async throws {
      let log = try await log(
        """
        const { CallAPI } = await import('/callapi.js')
        const calls = new CallAPI({ userID: 7, signal: client(), view: null, capture: async () => null })
        await calls.prepareForCall()
        for (const uid of ['2', -1, 1.5, NaN, null]) {
          await calls.call(uid).catch(({ code, message }) => log.push(`${code} ${message.split(' is ')[0]}`))
        }
        log.push(calls.state)
        """)
      #expect(
        log
          == ["2", "-1", "1.5", "NaN", "null"].map { "-1 call fail! \($0)|" }.joined() + "1")
    }

    @Test("receivers that confirm nothing leave room for others, however much goes to them", arguments: [1, 2, 5, 60])
    func silentReceivers(count: Int) async throws {
      let log = try await log(
        """
        const signal = client()
        signal.login(7)
        sockets[0].onopen()
        sockets[0].say({ type: 'loggedIn' })
        for (let number = 0; number < 1000; number++) signal.send('x', 100 + number % \(count)).catch(() => {})
        const { written } = sockets[0]
        const waiting = written.length - 1
        signal.send('hangup', 2).catch(({ message }) => log.push(message))
        await pause(0)
        log.push(waiting >= Math.floor(128 / \(count + 1)) * \(count) && waiting < 128, written.at(-1).message)
        """)
      #expect(log == "true|hangup")
    }

    @Test("what is not even tried has surely not arrived")
    func certainty() async throws {
      let log = try await log(
        """
        const signal = client()
        const certain = (promise) => promise.catch(({ isCertain, message }) => log.push(`${isCertain} ${message}`))
        await certain(signal.send('?', 3))
        signal.login(7).catch(() => {})
        await certain(signal.send('?', 0))
        await certain(signal.send('\\0', 3))
        await certain(signal.send('x'.repeat(32769), 3))
        const { SignalError } = await import('/signal.js')
        for (const code of [1404, 1408, 1502]) log.push(new SignalError('', code).isCertain)
        """)
      #expect(
        log
          == [
            "false Not logged in for signalling; log in first.", "true 0 is not a user's number; use 1 to 4294967295.",
            "true The message has a character U+0000 in it; take it out.",
            "true The message has 32769 bytes; shorten it to 32768.", "true", "false", "false",
          ].joined(separator: "|"))
    }
  }
}
