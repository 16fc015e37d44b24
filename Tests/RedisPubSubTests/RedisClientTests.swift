import RedisPubSub
import Synchronization
import TestSupport
import Testing

@Suite("Redis", .serialized, .timeLimit(.minutes(10)), .ownThread)
struct RedisClientTests {
  private final class Heard: Sendable {
    let texts = Mutex<[String]>([])
    let states = Mutex<[Bool]>([])
    let replies = Mutex<[RedisReply?]>([])
  }

  private func client(_ server: RedisServer, _ heard: Heard) throws -> RedisClient {
    RedisClient(
      try #require(RedisAddress(server.url)), channel: "here",
      onText: { text in heard.texts.withLock { $0.append(text) } },
      onReady: { isReady in heard.states.withLock { $0.append(isReady) } })
  }

  @Test("commands are answered in order, and texts of the channel come in order")
  func commands() async throws {
    let server = try RedisServer()
    let heard = Heard()
    let client = try client(server, heard)
    #expect(await eventually { client.isReady })
    let value = "é\0😀 \"quoted\""
    for command in [
      ["SET", "k", value], ["GET", "k"], ["GET", "none"], ["INCR", "k"], ["LRANGE", "l", "0", "-1"], [""],
    ] {
      client.send(command) { reply in heard.replies.withLock { $0.append(reply) } }
    }
    for number in 0..<1_000 { client.send(["PUBLISH", "here", "\(number)"]) }
    #expect(await eventually { heard.texts.withLock { $0.count } == 1_000 && heard.replies.withLock { $0.count } == 6 })
    #expect(heard.texts.withLock { $0 } == (0..<1_000).map(String.init))
    let replies = heard.replies.withLock { $0 }
    try #require(replies.count == 6)
    #expect(replies.prefix(3) == [.text("OK"), .text(value), .null] && replies[4] == .array([]))
    guard case .error(let message)? = replies[3] else { Issue.record("\(replies)"); return }
    #expect(message.contains("not an integer"))
    client.stop()
  }

  @Test("a Redis that goes is told, commands then fail at once, and all goes on when it is back")
  func comesBack() async throws {
    let server = try RedisServer()
    let heard = Heard()
    let client = try client(server, heard)
    #expect(await eventually { client.isReady })
    server.stop()
    #expect(await eventually { !client.isReady })
    let lost = Mutex<[RedisReply?]>([])
    #expect(
      await eventually {
        client.send(["PING"]) { reply in lost.withLock { $0.append(reply) } }
        return lost.withLock { $0.contains(nil) }
      })
    try server.restart()
    #expect(await eventually { client.isReady })
    client.send(["PUBLISH", "here", "again"])
    #expect(await eventually { heard.texts.withLock { $0 } == ["again"] })
    #expect(heard.states.withLock { $0 } == [true, false, true])
    client.stop()
  }

  @Test("a client whose Redis is not there, or is none, ends at once")
  func nobody() throws {
    let client = RedisClient(
      try #require(RedisAddress("redis://127.0.0.1:1")), channel: "x", onText: { _ in }, onReady: { _ in })
    let answer = Mutex<RedisReply?>(.integer(1))
    client.send(["PING"]) { reply in answer.withLock { $0 = reply } }
    #expect(answer.withLock { $0 } == nil)
    client.stop()
  }

  @Test(
    "addresses are read, or refused",
    arguments: [
      ("redis://h", "h 6379   0"), ("redis://h:1", "h 1   0"), ("redis://u:p:@x@[::1]:7/3", "::1 7 u p:@x 3"),
      ("redis://:p@h/", "h 6379  p 0"), ("http://h", nil), ("redis://", nil), ("redis://h:0", nil),
      ("redis://h:x", nil),
      ("redis://h/x", nil), ("redis://p@h", nil), ("redis://h:99999", nil),
    ])
  func addresses(text: String, expected: String?) {
    let address = RedisAddress(text)
    #expect(address.map { "\($0.host) \($0.port) \($0.user) \($0.password) \($0.database)" } == expected)
  }
}
