import Foundation
import Signaling
import TestSupport
import Testing

/// The example of docs/signalling.md. What every client promises is tested by `SignalContractTests`, for it too.
@Suite("A client of one's own", .timeLimit(.minutes(10)), .ownThread)
struct ChatClientTests {
  @Test("the page shows the client that is tested")
  func page() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let page = try String(contentsOf: tests.appending(path: "../../docs/signalling.md"), encoding: .utf8)
    let code = try String(contentsOf: tests.appending(path: "Example/ChatSignalClient.swift"), encoding: .utf8)
    #expect(page.contains("```swift\n" + code + "```\n"))
  }

  @Test("the service's connection, removal and refusals become the client's states and errors")
  func connection() async throws {
    let service = ChatService()
    let one = SignalUser(ChatSignalClient(service: service), keeping: service)
    let two = SignalUser(ChatSignalClient(service: service), keeping: service)
    #expect(await one.login(1) == nil)
    #expect(await two.login(2) == nil)
    service.setConnected(false, "1")
    #expect(await one.isIn(.reconnecting))
    #expect(await one.send("x", to: 2) == .connectionLost)
    #expect(await two.send("x", to: 1) == .userOffline(uid: 1))
    service.setConnected(true, "1")
    #expect(await one.isIn(.connected))
    #expect(await two.send("back", to: 1) == nil)
    #expect(one.states == [.connecting, .connected, .reconnecting, .connected])
    #expect(await eventually { one.texts.map(\.text) == ["back"] })
  }

  @Test("a token that runs out is told, renewed or refused; a bad one is no login")
  func tokens() async throws {
    let service = ChatService()
    let user = SignalUser(ChatSignalClient(service: service), keeping: service)
    func renew(_ token: String) async -> SignalError? {
      await withCheckedContinuation { done in user.client.renewToken(token) { done.resume(returning: $0) } }
    }
    #expect(await renew("good") == .notLoggedIn)
    let refusal = SignalError.refused(code: 110, message: "The token is not valid.")
    let error = await withCheckedContinuation { done in
      user.client.login(uid: 1, token: "bad") { done.resume(returning: $0) }
    }
    #expect(error == refusal && user.client.uid == nil && user.states == [.connecting, .disconnected])
    #expect(await user.login(1) == nil)
    service.warnOfToken("1")
    #expect(await eventually { user.events.contains(.tokenWillExpire) })
    #expect(await renew("good") == nil)
    #expect(await renew("bad") == refusal)
    #expect(user.client.connectionState == .connected)
  }
}
