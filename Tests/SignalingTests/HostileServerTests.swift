import ControlWire
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Signaling

@Suite("A signal client whose server is silent or talks nonsense", .timeLimit(.minutes(10)), .ownThread)
struct HostileServerTests {
  @Test("a login that is not answered fails; the client is logged out")
  func silentToLogin() async throws {
    let server = try FakeSignalServer { _ in [] }
    let user = SignalUser(WebSocketSignalClient(url: server.url, timing: timing(300)), keeping: server)
    #expect(await user.login(1) == .timedOut)
    #expect(user.states == [.connecting, .disconnected])
  }

  @Test("a text that is not answered fails, and a late answer changes nothing")
  func silentToText() async throws {
    let first = Mutex<Int?>(nil)
    let server = try FakeSignalServer.welcoming { send in
      guard let id = first.withLock({ $0 }) else {
        first.withLock { $0 = send.requestID }
        return []
      }
      return [#"{"type":"delivered","requestID":\#(id)}"#, #"{"type":"delivered","requestID":\#(send.requestID)}"#]
    }
    // Long enough for the login of a busy machine.
    let user = SignalUser(WebSocketSignalClient(url: server.url, timing: timing(2_500)), keeping: server)
    #expect(await user.login(1) == nil)
    let error = await user.send("unanswered", to: 2)
    #expect(error == .timedOut && error?.isCertain == false)
    #expect(await user.send("answered", to: 2) == nil)
  }

  @Test("nonsense from the server is ignored")
  func nonsense() async throws {
    let nonsense = [
      "", "nonsense", "null", "[]", "{}", #"{"type":7}"#, #"{"type":"surprise"}"#, #"{"type":"message"}"#,
      #"{"type":"message","from":-1,"message":"x"}"#, #"{"type":"message","from":2,"message":"\ud800"}"#,
      #"{"type":"delivered"}"#, #"{"type":"delivered","requestID":99}"#, #"{"type":"delivered","requestID":1e99}"#,
      #"{"type":"error","code":1404,"message":"x","requestID":99}"#, #"{"type":"error","code":12345,"message":"x"}"#,
      #"{"type":"loggedIn","uid":5}"#, String(repeating: "[", count: 100_000),
      #"{"type":"delivered","requestID":"# + String(repeating: "9", count: 100_000) + "}",
    ]
    let server = try FakeSignalServer.welcoming { send in
      nonsense + [
        #"{"type":"delivered","requestID":\#(send.requestID)}"#,
        #"{"type":"delivered","requestID":\#(send.requestID)}"#,
      ]
    }
    let user = SignalUser(patientClient(server.url), keeping: server)
    #expect(await user.login(1) == nil)
    for _ in 0..<3 { #expect(await user.send("x", to: 2) == nil) }
    #expect(user.states == [.connecting, .connected] && user.texts.isEmpty && user.client.uid == 1)
  }

  @Test("texts without an answer fail once, in order, when the client logs out")
  func unansweredTexts() async throws {
    let server = try FakeSignalServer.welcoming { _ in [] }
    let user = SignalUser(patientClient(server.url), keeping: server)
    #expect(await user.login(1) == nil)
    let log = Record<String>()
    for number in 0..<20 {
      user.client.send(message: "\(number)", to: 2) { error in
        let isRight = error == .notLoggedIn && error?.isCertain == false
        log.note(isRight ? "\(number)" : "\(number): \(String(describing: error))")
      }
    }
    user.client.logout()
    #expect(await eventually { log.count >= 20 })
    #expect(await user.isIn(.disconnected))
    #expect(log.all == (0..<20).map(String.init))
  }

  @Test("texts without an answer when the connection is lost are sent again, under the same numbers, in order")
  func lostAnswers() async throws {
    let isLost = Mutex(false)
    let server = try FakeSignalServer.welcoming { send in
      // Loses the connection with the last text; then answers everything.
      if isLost.withLock({ $0 }) { return [#"{"type":"delivered","requestID":\#(send.requestID)}"#] }
      guard send.message == "9" else { return [] }
      isLost.withLock { $0 = true }
      return [nil]
    }
    let user = SignalUser(patientClient(server.url), keeping: server)
    #expect(await user.login(1) == nil)
    let log = Record<SignalError?>()
    for number in 0..<10 { user.client.send(message: "\(number)", to: 2) { error in log.note(error) } }
    #expect(await eventually { log.count == 10 })
    #expect(log.all.allSatisfy { $0 == nil })
    let sends = server.received.compactMap { if case .send(let send) = $0 { send } else { nil } }
    #expect(sends.suffix(10).map(\.message) == (0..<10).map(String.init))
    #expect(sends.suffix(10).map(\.requestID) == sends.prefix(10).map(\.requestID))
    let logins = server.received.compactMap { if case .login(let login) = $0 { login.session } else { nil } }
    #expect(logins.count == 2 && logins[0] == logins[1])
  }

  @Test("a client does not send more than the server could still answer")
  func tooManyPending() async throws {
    let server = try FakeSignalServer.welcoming { _ in [] }
    let user = SignalUser(patientClient(server.url), keeping: server)
    #expect(await user.login(1) == nil)
    let half = SignalClientCore.pendingLimit / 2
    for _ in 0..<half { user.client.send(message: "x", to: 2) { _ in } }
    let error = await user.send("one too many", to: 2)
    #expect(error == .tooManyPending(limit: half) && error?.isCertain == true)
    #expect(user.states == [.connecting, .connected])
  }

  @Test("a login that another login or a logout overtakes fails; only the last counts")
  func overtakenLogin() async throws {
    // The first two are not answered, so that they are overtaken however busy the machine is.
    let server = try FakeSignalServer { request in
      switch request {
      case .login(let login): login.uid == 3 ? [#"{"type":"loggedIn","uid":3}"#] : []
      case .send(let send): [#"{"type":"error","code":1404,"message":"x","requestID":\#(send.requestID)}"#]
      default: [nil]
      }
    }
    let user = SignalUser(patientClient(server.url), keeping: server)
    let log = Record<SignalError?>()
    for uid: UInt in [1, 2] { user.client.login(uid: uid, token: "") { error in log.note(error) } }
    user.client.logout()
    #expect(await user.login(3) == nil)
    #expect(log.all == [.notLoggedIn, .notLoggedIn])
    #expect(user.client.uid == 3)
    #expect(await user.send("x", to: 2) == .userOffline(uid: 2))
  }

  @Test(
    "a client that is let go in any state is freed, and its completions are called",
    arguments: [
      "logging in", "logged in", "reconnecting",
    ])
  func letGo(state: String) async throws {
    let server = try FakeSignalServer { request in
      switch request {
      case .login where state != "logging in": [#"{"type":"loggedIn","uid":1}"#]
      case .send where state == "reconnecting": [nil]
      default: []
      }
    }
    let errors = Record<SignalError?>()
    var client: WebSocketSignalClient? = patientClient(server.url)
    let states = Record<SignalEvent>()
    client?.addHandler { states.note($0) }
    weak let driver = client?.driver
    client?.login(uid: 1) { error in errors.note(error) }
    if state != "logging in" {
      #expect(await eventually { errors.all == [nil] })
      client?.send(message: "x", to: 2) { error in errors.note(error) }
    }
    if state == "reconnecting" {
      #expect(await eventually { states.all.contains(.connectionStateChanged(.reconnecting, cause: .connectionLost)) })
    }
    #expect(await eventually { !server.received.isEmpty })
    client = nil
    #expect(await eventually { driver == nil })
    #expect(errors.all.last == .notLoggedIn)
  }
}
