import ChannelServer
import ControlWire
import MediaBase
import Synchronization
import TestSupport
import Testing

@testable import Signaling

@Suite("A signal client whose server goes, comes back or refuses", .timeLimit(.minutes(10)), .ownThread)
struct ServerTroubleTests {
  @Test("when the server comes back, clients are logged in again by themselves and texts flow")
  func serverComesBack() async throws {
    var server = try startServer()
    let port = server.boundHTTPPort
    let (one, two) = (
      SignalUser(patientClient(server.url), keeping: server),
      SignalUser(patientClient(server.url), keeping: server)
    )
    #expect(await one.login(1) == nil)
    #expect(await two.login(2) == nil)
    server.stop()
    #expect(await one.isIn(.reconnecting))
    #expect(await two.isIn(.reconnecting))
    #expect(one.cause == .connectionLost && one.client.uid == 1)
    let log = Record<SignalError?>()
    one.client.send(message: "kept meanwhile", to: 1) { error in log.note(error) }
    server = try startServer(port: port)
    #expect(await one.isIn(.connected))
    #expect(await two.isIn(.connected))
    #expect(await eventually { log.all == [nil] && one.texts.map(\.text) == ["kept meanwhile"] })
    #expect(await one.send("back again", to: 2) == nil)
    #expect(await eventually { two.texts.map(\.text) == ["back again"] })
    #expect(one.states == [.connecting, .connected, .reconnecting, .connected])
    withExtendedLifetime(server) {}
  }

  @Test("logged out while the connection is lost, a client stays out")
  func logoutWhileReconnecting() async throws {
    let server = try startServer()
    let user = SignalUser(patientClient(server.url), keeping: server)
    #expect(await user.login(1) == nil)
    let port = server.boundHTTPPort
    server.stop()
    #expect(await user.isIn(.reconnecting))
    user.client.logout()
    #expect(await user.isIn(.disconnected))
    let next = try startServer(port: port)
    let other = SignalUser(patientClient(next.url), keeping: next)
    #expect(await other.login(2) == nil)
    #expect(await other.send("there?", to: 1) == .userOffline(uid: 1))
    #expect(user.states == [.connecting, .connected, .reconnecting, .disconnected] && user.cause == nil)
  }

  @Test(
    "a server that is not there is told with what to do; the client is logged out",
    arguments: [
      ("ws://127.0.0.1:1", "Nobody listens at ws://127.0.0.1:1/v1/signal"),
      ("http://127.0.0.1", "is not a WebSocket address"),
    ])
  func noServer(url: String, expected: String) async {
    let user = SignalUser(WebSocketSignalClient(url: url))
    let error = await user.login(1)
    guard case .unreachable(let message) = error else { Issue.record("\(String(describing: error))"); return }
    #expect(message.contains(expected))
    #expect(user.states == [.connecting, .disconnected] && user.cause == error && user.client.uid == nil)
  }

  @Test("a server that closes the connection before the login is told as that, and nothing is said of trying again")
  func closedBeforeLogin() async throws {
    let server = try FakeSignalServer { _ in [nil] }
    let user = SignalUser(WebSocketSignalClient(url: server.url), keeping: server)
    let error = await user.login(1)
    #expect(error?.description.contains("closed the connection before it answered the login") == true)
    #expect(user.states == [.connecting, .disconnected] && user.cause == error && user.client.uid == nil)
  }

  @Test("a refused login is told in the server's words; refused on reconnecting, the client is logged out")
  func refusedLogin() async throws {
    let loginCount = Mutex(0)
    let server = try FakeSignalServer { request in
      guard case .login = request else { return [nil] }
      // Refuses the first; lets the second in; refuses the third, which comes by itself.
      return loginCount.withLock { count in
        count += 1
        return count == 2
          ? [#"{"type":"loggedIn","uid":1}"#, nil] : [#"{"type":"error","code":110,"message":"Forged."}"#, nil]
      }
    }
    let user = SignalUser(patientClient(server.url), keeping: server)
    let refusal = SignalError.refused(code: 110, message: "Forged.")
    #expect(await user.login(1) == refusal)
    #expect(user.states == [.connecting, .disconnected] && user.cause == refusal)
    #expect(await user.login(1) == nil)
    #expect(await eventually { user.states.count == 6 })
    #expect(user.states.suffix(4) == [.connecting, .connected, .reconnecting, .disconnected])
    #expect(user.cause == refusal && user.client.uid == nil)
    #expect(server.received.count == 3)
  }

  @Test("a text that cannot be sent for too long fails, and is not sent later")
  func tooLate() async throws {
    var server = try startServer()
    let port = server.boundHTTPPort
    let client = WebSocketSignalClient(
      url: server.url, timing: SignalClientCore.Timing(answer: .seconds(600), timeToLive: .milliseconds(1)))
    let user = SignalUser(client, keeping: server)
    #expect(await user.login(1) == nil)
    server.stop()
    #expect(await user.isIn(.reconnecting))
    let error = await user.send("too late", to: 1)
    #expect(error == .connectionLost && error?.isCertain == false)
    server = try startServer(port: port)
    #expect(await user.isIn(.connected))
    let other = SignalUser(patientClient(server.url), keeping: server)
    #expect(await other.login(2) == nil)
    #expect(await other.send("marker", to: 1) == nil)
    #expect(await eventually { user.texts.map(\.text) == ["marker"] })
  }

  @Test("what others send does not use up what a user may send itself")
  func confirmations() async throws {
    let server = try startServer()
    let target = SignalUser(patientClient(server.url), keeping: server)
    #expect(await target.login(1) == nil)
    for uid in UInt(2)...5 {
      let sender = SignalUser(patientClient(server.url), keeping: server)
      #expect(await sender.login(uid) == nil)
      // Each is answered once the target has confirmed it: four times as often as it may send in a row.
      for number in 1...150 { #expect(await sender.send("\(number)", to: 1) == nil) }
    }
    #expect(await target.send("here still", to: 1) == nil)
    #expect(target.texts.count == 601 && !target.states.contains(.reconnecting))
  }

  @Test("a client that floods the server is disconnected, hears why, and comes back; nothing is lost or comes twice")
  func flood() async throws {
    let server = try startServer()
    let user = SignalUser(patientClient(server.url), keeping: server)
    #expect(await user.login(1) == nil)
    // One after another, so that only the server's limit is met. It refills, so a fixed number might not do.
    var count = 0
    while !user.states.contains(.reconnecting) {
      count += 1
      #expect(await user.send("\(count)", to: 1) == nil)
    }
    #expect(await user.isIn(.connected))
    #expect(await user.send("last", to: 1) == nil)
    #expect(user.texts.map(\.text) == (1...count).map(String.init) + ["last"])
    let causes = user.events.compactMap {
      if case .connectionStateChanged(.reconnecting, let cause) = $0 { cause } else { nil }
    }
    guard case .refused(22, let message)? = causes.first else { Issue.record("\(causes)"); return }
    #expect(message.hasPrefix("Too many messages; send at most 50 a second"))
  }
}
