import ChannelServer
import ControlWire
import Foundation
import RedisPubSub
import Signaling
import Synchronization
import TestSupport
import Testing

/// Two servers and a Redis between them.
@Suite("Signalling over several servers", .serialized, .timeLimit(.minutes(10)), .ownThread)
struct ClusterTests {
  private let redis: RedisServer
  private let servers: [ChannelServer]

  init() throws {
    let redis = try RedisServer()
    self.redis = redis
    servers = try (0..<2).map { _ in
      var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true)
      configuration.redis = RedisAddress(redis.url)
      let server = ChannelServer(configuration: configuration)
      try server.start()
      return server
    }
  }

  private final class User: Sendable {
    let client: WebSocketSignalClient
    let texts = Mutex<[String]>([])
    let cause = Mutex<SignalError?>(nil)

    init(_ server: ChannelServer) {
      client = WebSocketSignalClient(url: "ws://127.0.0.1:\(server.boundHTTPPort)")
      client.addHandler { [weak self] event in
        switch event {
        case .message(let text, let from): self?.texts.withLock { $0.append("\(from): \(text)") }
        case .connectionStateChanged(.disconnected, let cause): self?.cause.withLock { $0 = cause }
        default: break
        }
      }
    }

    func send(_ text: String, to uid: UInt) async -> SignalError? {
      await withCheckedContinuation { done in client.send(message: text, to: uid) { done.resume(returning: $0) } }
    }

    /// Sends until it arrives: another server hears of a login a moment later.
    func reaches(_ uid: UInt, with text: String) async -> Bool {
      for _ in 0..<1_000 {
        if await send(text, to: uid) == nil { return true }
        await ClusterTests.pause()
      }
      return false
    }
  }

  /// Between attempts: they must be seldom enough for the server's limit of messages, however long something takes.
  private static func pause() async { try? await Task.sleep(nanoseconds: 40_000_000) }

  private func user(_ uid: UInt, at index: Int) async -> User {
    let user = User(servers[index])
    let error = await withCheckedContinuation { done in
      user.client.login(uid: uid) { done.resume(returning: $0) }
    }
    #expect(error == nil)
    return user
  }

  @Test("users of two servers reach each other, in order and once, and hear at once who is not there")
  func reach() async throws {
    let (one, two) = (await user(1, at: 0), await user(2, at: 1))
    #expect(await one.reaches(2, with: "first"))
    // With the last one as many as may wait for one receiver.
    for number in 0..<63 { one.client.send(message: "\(number)", to: 2) { _ in } }
    #expect(await one.send("last", to: 2) == nil)
    #expect(two.texts.withLock { $0 } == ["1: first"] + (0..<63).map { "1: \($0)" } + ["1: last"])
    #expect(await two.send("back", to: 1) == nil)
    #expect(one.texts.withLock { $0 } == ["2: back"])
    #expect(await one.send("anybody?", to: 9) == .userOffline(uid: 9))
    two.client.logout()
    for _ in 0..<500 {
      if await one.send("still there?", to: 2) == .userOffline(uid: 2) { break }
      await Self.pause()
    }
    #expect(await one.send("still there?", to: 2) == .userOffline(uid: 2))
  }

  @Test("a login at one server removes that of the same uid at the other, with the reason")
  func duplicate() async throws {
    let (older, other) = (await user(1, at: 0), await user(2, at: 0))
    #expect(await other.reaches(1, with: "for the older"))
    // As soon as Redis knows it.
    let probe = await user(3, at: 1)
    #expect(await probe.reaches(1, with: "from afar"))
    let newer = await user(1, at: 1)
    #expect(await eventually { older.client.connectionState == .disconnected })
    guard case .refused(let code, _)? = older.cause.withLock({ $0 }) else { Issue.record("no reason"); return }
    #expect(code == ControlErrorCode.sameUIDLogin.rawValue)
    #expect(await other.reaches(1, with: "for the newer"))
    #expect(newer.texts.withLock { $0 } == ["2: for the newer"])
    #expect(newer.client.connectionState == .connected)
  }

  @Test("of logins at one server, the other and the one again at the same moment one is left, and texts reach it")
  func sameMoment() async throws {
    let other = await user(2, at: 0)
    for round in 0..<20 {
      let users = [0, 1, 0].map { User(servers[$0]) }
      let doneCount = Mutex(0)
      for user in users { user.client.login(uid: 1) { _ in doneCount.withLock { $0 += 1 } } }
      #expect(await eventually { doneCount.withLock { $0 } == 3 })
      let left = { users.filter { $0.client.connectionState != .disconnected } }
      #expect(await eventually { left().count == 1 })
      // Its word is the last, for both servers.
      #expect(await other.reaches(1, with: "round \(round)"))
      #expect(left().count == 1 && left().first?.texts.withLock { $0 } == ["2: round \(round)"], "round \(round)")
      for user in users { user.client.logout() }
    }
  }

  @Test("without Redis users of one server go on; others are told apart from offline ones; all comes back by itself")
  func redisGone() async throws {
    let (one, near, far) = (await user(1, at: 0), await user(2, at: 0), await user(3, at: 1))
    #expect(await one.reaches(3, with: "before"))
    redis.stop()
    #expect(await one.send("local", to: 2) == nil)
    var error: SignalError?
    for _ in 0..<500 {
      error = await one.send("far", to: 3)
      if error != nil { break }
      await Self.pause()
    }
    guard case .refused(let code, let message)? = error else { Issue.record("\(String(describing: error))"); return }
    #expect(code == ControlErrorCode.clusterUnavailable.rawValue && message.contains("cannot be reached"))
    #expect(one.client.connectionState == .connected && near.client.connectionState == .connected)
    try redis.restart()
    #expect(await one.reaches(3, with: "after"))
    #expect(far.texts.withLock { $0.last } == "1: after")
    #expect(near.texts.withLock { $0 } == ["1: local"])
  }

  @Test("the end of a call that was open when its server was started again is in the stream")
  func streamAfterRestart() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "records-\(UUID().uuidString).db").path
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) } }
    var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true)
    configuration.redis = RedisAddress(redis.url)
    configuration.callRecordFile = file
    func users(_ body: (User, User) async throws -> Void) async throws {
      let server = ChannelServer(configuration: configuration)
      try server.start()
      defer { server.stop() }
      let users = (User(server), User(server))
      for (user, uid) in [(users.0, UInt(1)), (users.1, 2)] {
        let error = await withCheckedContinuation { done in user.client.login(uid: uid) { done.resume(returning: $0) } }
        #expect(error == nil)
      }
      try await body(users.0, users.1)
    }
    func message(_ action: Int, _ from: UInt) -> String {
      #"{"message_action":\#(action),"message_version":"1.0","fromUserId":\#(from),"callId":"c","fromRoomId":"r"}"#
    }
    try await users { one, two in
      #expect(await one.reaches(2, with: message(0, 1)))
      #expect(await two.reaches(1, with: message(2, 2)))
    }
    let client = RedisClient(
      try #require(RedisAddress(redis.url)), channel: "test", onText: { _ in }, onReady: { _ in })
    defer { client.stop() }
    #expect(await eventually { client.isReady })
    try await users { one, two in
      let isEnded = Mutex(false)
      for _ in 0..<200 where !isEnded.withLock({ $0 }) {
        // The server may not have found the call yet.
        _ = await one.send(message(4, 1), to: 2)
        client.send(["XREVRANGE", "greenroom:calls", "+", "-", "COUNT", "1"]) { reply in
          guard case .array(let entries)? = reply, case .array(let parts)? = entries.first,
            case .array(let fields)? = parts.last, fields.count == 6
          else { return }
          if fields[3].text == "ended" { isEnded.withLock { $0 = true } }
        }
        await Self.pause()
      }
      #expect(isEnded.withLock { $0 })
    }
  }

  @Test("a call between two servers is in the stream once, from start to end")
  func stream() async throws {
    let (one, two) = (await user(1, at: 0), await user(2, at: 1))
    #expect(await one.reaches(2, with: "hello"))
    #expect(await two.reaches(1, with: "hello"))
    func message(_ action: Int, _ from: UInt) -> String {
      #"{"message_action":\#(action),"message_version":"1.0","fromUserId":\#(from),"callId":"c","fromRoomId":"r"}"#
    }
    #expect(await one.send(message(0, 1), to: 2) == nil)
    #expect(await two.send(message(2, 2), to: 1) == nil)
    #expect(await two.send(message(4, 2), to: 1) == nil)
    let client = RedisClient(
      try #require(RedisAddress(redis.url)), channel: "test", onText: { _ in }, onReady: { _ in })
    #expect(await eventually { client.isReady })
    let changes = Mutex<[String]>([])
    #expect(
      await eventually {
        client.send(["XRANGE", "greenroom:calls", "-", "+"]) { reply in
          guard case .array(let entries)? = reply else { return }
          let found = entries.compactMap { entry -> String? in
            guard case .array(let parts) = entry, parts.count == 2, case .array(let fields) = parts[1] else {
              return nil
            }
            return fields.count == 6 ? "\(fields[1].text ?? "") \(fields[3].text ?? "")" : nil
          }
          changes.withLock { $0 = found }
        }
        return changes.withLock { $0.count } >= 3
      })
    #expect(changes.withLock { $0 } == ["c started", "c accepted", "c ended"])
    client.stop()
  }
}
