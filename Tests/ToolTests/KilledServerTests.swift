import Foundation
import Signaling
import Synchronization
import TestSupport
import Testing

/// One of two servers is killed.
@Suite("Signalling when one of two servers is killed", .timeLimit(.minutes(10)), .ownThread)
struct KilledServerTests {
  private final class User: Sendable {
    let client: WebSocketSignalClient
    private let texts = Mutex<[String]>([])

    init(_ uid: UInt, at server: ServerProcess) async {
      client = WebSocketSignalClient(url: server.url)
      client.addHandler { [weak self] event in
        if case .message(let text, _) = event { self?.texts.withLock { $0.append(text) } }
      }
      let error = await withCheckedContinuation { done in client.login(uid: uid) { done.resume(returning: $0) } }
      #expect(error == nil)
    }

    func has(_ text: String) -> Bool { texts.withLock { $0.contains(text) } }

    func send(_ text: String, to uid: UInt) async -> SignalError? {
      await withCheckedContinuation { done in client.send(message: text, to: uid) { done.resume(returning: $0) } }
    }

    /// Sends, once a second, until the answer is this one.
    func send(_ text: String, to uid: UInt, until answer: SignalError?) async -> Bool {
      for _ in 0..<60 {
        if await send(text, to: uid) == answer { return true }
        try? await Task.sleep(nanoseconds: 1_000_000_000)
      }
      return false
    }
  }

  @Test("users of the other server go on; the killed one's count as offline, and come back by themselves with it")
  func killed() async throws {
    let redis = try RedisServer()
    let options = ["--redis", redis.url]
    let (first, second) = (try ServerProcess(options), try ServerProcess(options))
    let (one, two, three) = (await User(1, at: first), await User(2, at: second), await User(3, at: first))
    #expect(await one.send("before", to: 2, until: nil))
    #expect(await eventually { two.has("before") })

    second.process.kill()
    _ = second.process.finish()
    #expect(await one.send("meanwhile", to: 3) == nil)
    #expect(await eventually { three.has("meanwhile") })
    #expect(await one.send("gone", to: 2, until: .userOffline(uid: 2)))
    #expect(one.client.connectionState == .connected && two.client.connectionState != .connected)

    let again = try ServerProcess(options, again: second)
    #expect(await eventually { two.client.connectionState == .connected })
    #expect(await one.send("after", to: 2, until: nil))
    #expect(await eventually { two.has("after") })
    #expect(!two.has("gone"))
    for user in [one, two, three] { user.client.logout() }
    #expect(first.end() == 0)
    #expect(again.end() == 0)
  }
}
