import Signaling
import Synchronization
import TestSupport
import Testing

@Suite("Crowds, handlers and ends of signal clients", .timeLimit(.minutes(10)), .ownThread)
struct SignalLifeTests {
  @Test("of many texts from many clients none is lost, repeated or overtaken", arguments: SignalWay.allCases)
  func crowd(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    var users: [SignalUser] = []
    for uid in 1...8 { users.append(await stage.user(UInt(uid))) }
    let errors = Record<SignalError?>()
    await withTaskGroup { group in
      for (index, user) in users.enumerated() {
        group.addTask {
          // Within what the server takes in a row, and within what a client may leave unanswered to 8 users.
          for number in 0..<112 {
            user.client.send(message: "\(number)", to: UInt((index + number) % 8 + 1)) { error in
              errors.note(error)
            }
          }
        }
      }
    }
    #expect(await eventually { errors.count == 896 && users.allSatisfy { $0.texts.count == 112 } })
    #expect(errors.all.allSatisfy { $0 == nil })
    for (index, user) in users.enumerated() {
      for sender in 0..<8 {
        let numbers = user.texts.filter { $0.from == UInt(sender + 1) }.map(\.text)
        #expect(numbers == (0..<112).filter { (sender + $0) % 8 == index }.map(String.init))
      }
    }
  }

  @Test("handlers are called in the order of adding, until they are removed", arguments: SignalWay.allCases)
  func handlers(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let user = await stage.user(1)
    let log = Record<String>()
    let own = Mutex<SignalHandlerID?>(nil)
    user.client.addHandler { _ in log.note("first") }
    let second = user.client.addHandler { _ in log.note("second") }
    let third = user.client.addHandler { [weak client = user.client] _ in
      log.note("third")
      // Takes itself off and puts another on, from within.
      if let id = own.withLock({ $0 }) { client?.removeHandler(id) }
      client?.addHandler { _ in log.note("fourth") }
    }
    own.withLock { $0 = third }
    user.client.removeHandler(second)
    user.client.removeHandler(second)
    for _ in 0..<2 { #expect(await user.send("to myself", to: 1) == nil) }
    #expect(await eventually { log.count >= 4 })
    #expect(log.all == ["first", "third", "first", "fourth"])
  }

  @Test("a removed handler is let go at once, and may call the client while it goes", arguments: SignalWay.allCases)
  func removedHandlerIsLetGo(way: SignalWay) async throws {
    final class Goer: Sendable {
      let onEnd: @Sendable () -> Void
      init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let client = try SignalStage(way).makeClient()
    let isGone = Mutex(false)
    func makeHandler() -> @Sendable (SignalEvent) -> Void {
      let goer = Goer {
        client.addHandler { _ in }
        isGone.withLock { $0 = true }
      }
      return { _ in withExtendedLifetime(goer) {} }
    }
    client.removeHandler(client.addHandler(makeHandler()))
    #expect(isGone.withLock { $0 })
  }

  @Test("a client that is let go is logged out and says nothing more", arguments: SignalWay.allCases)
  func letGo(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let other = await stage.user(2)
    let events = Record<SignalEvent>()
    var client: (any SignalClient)? = stage.makeClient()
    client?.addHandler { event in events.note(event) }
    let error = await withCheckedContinuation { done in
      client?.login(uid: 1, token: "") { done.resume(returning: $0) }
    }
    #expect(error == nil)
    #expect(await other.send("hello", to: 1) == nil)
    #expect(await eventually { events.count == 3 })
    client = nil
    #expect(await other.offlineError(of: 1) == .userOffline(uid: 1))
    #expect(events.count == 3)
  }
}
