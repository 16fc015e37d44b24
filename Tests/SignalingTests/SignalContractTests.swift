import ControlWire
import Signaling
import TestSupport
import Testing

/// What `SignalClient` promises, whichever way the texts travel.
@Suite("What every SignalClient promises", .timeLimit(.minutes(10)), .ownThread)
struct SignalContractTests {
  @Test("texts go both ways in order, unchanged, with the sender's uid", arguments: SignalWay.allCases)
  func bothWays(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let (one, two) = (await stage.user(1), await stage.user(4_294_967_295))
    #expect(one.states == [.connecting, .connected] && one.client.uid == 1)
    for number in 0..<20 {
      one.client.send(message: "to two \(number)", to: 4_294_967_295) { _ in }
      two.client.send(message: "to one \(number)", to: 1) { _ in }
    }
    #expect(await one.send("", to: 4_294_967_295) == nil)
    #expect(await two.send("", to: 1) == nil)
    #expect(await eventually { one.texts.count == 21 && two.texts.count == 21 })
    #expect(two.texts.map(\.text) == (0..<20).map { "to two \($0)" } + [""])
    #expect(one.texts.map(\.text) == (0..<20).map { "to one \($0)" } + [""])
    #expect(two.texts.allSatisfy { $0.from == 1 } && one.texts.allSatisfy { $0.from == 4_294_967_295 })
  }

  @Test(
    "a text to a user who is not logged in, or has logged out, fails with userOffline", arguments: SignalWay.allCases)
  func offline(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let (one, two) = (await stage.user(1), await stage.user(2))
    #expect(await one.send("anybody?", to: 9) == .userOffline(uid: 9))
    #expect(await one.send("hello", to: 2) == nil)
    two.client.logout()
    #expect(await two.isIn(.disconnected))
    let error = await one.offlineError(of: 2)
    #expect(error == .userOffline(uid: 2) && error?.code == ControlErrorCode.userOffline.rawValue)
    #expect(error?.isCertain == true)
    #expect(two.texts.map(\.text) == ["hello"])
  }

  @Test("a second login of a uid removes the first, which is told why and stays out", arguments: SignalWay.allCases)
  func secondLogin(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let (older, newer, other) = (await stage.user(1), await stage.user(1), await stage.user(2))
    #expect(await older.isIn(.disconnected))
    guard case .refused(let code, let message) = older.cause else { Issue.record("\(older.events)"); return }
    #expect(code == ControlErrorCode.sameUIDLogin.rawValue && message.contains("logged in elsewhere"))
    #expect(older.client.uid == nil)
    #expect(await older.send("x", to: 2) == .notLoggedIn)
    #expect(await other.send("for the newer", to: 1) == nil)
    #expect(await eventually { newer.texts.map(\.text) == ["for the newer"] })
    #expect(older.texts.isEmpty && older.states == [.connecting, .connected, .disconnected])
    #expect(newer.states == [.connecting, .connected])
  }

  @Test("logged out, sending fails; logging in again, as somebody else too, works", arguments: SignalWay.allCases)
  func logoutAndLogin(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let (one, other) = (SignalUser(stage.makeClient(), keeping: stage), await stage.user(9))
    #expect(await one.send("x", to: 9) == .notLoggedIn)
    one.client.logout()
    #expect(await one.login(1) == nil)
    one.client.logout()
    one.client.logout()
    #expect(await one.send("x", to: 9) == .notLoggedIn)
    #expect(one.client.uid == nil && one.client.connectionState == .disconnected)
    #expect(await one.login(2) == nil)
    #expect(await one.login(3) == nil)
    #expect(await one.send("as three", to: 9) == nil)
    #expect(await eventually { other.texts.map(\.from) == [3] })
    #expect(await other.offlineError(of: 2) == .userOffline(uid: 2))
    let round: [SignalConnectionState] = [.connecting, .connected, .disconnected]
    #expect(one.states == round + round + round.prefix(2))
    #expect(
      one.events.allSatisfy { if case .connectionStateChanged(_, let cause) = $0 { cause == nil } else { false } })
  }

  @Test("uids that are none are refused, and the client is logged out", arguments: SignalWay.allCases)
  func badUIDs(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let user = await stage.user(1)
    for uid: UInt in [0, 4_294_967_296, .max] {
      #expect(await user.send("x", to: uid) == .invalidUID(uid))
    }
    #expect(await user.login(0) == .invalidUID(0))
    #expect(user.client.uid == nil && user.states.last == .disconnected)
    #expect(await user.login(.max) == .invalidUID(.max))
  }

  @Test("any text up to 32,768 bytes arrives byte for byte", arguments: SignalWay.allCases)
  func hostileTexts(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let (one, two) = (await stage.user(1), await stage.user(2))
    let longest = SendRequest.maximumMessageByteCount
    let texts = [
      "", "\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}", "{\"type\":\"removed\",\"code\":1}",
      "e\u{301} é \u{FEFF}\u{202E}\u{2028}",
      "\u{FFFF}\u{10FFFF}👩‍👩‍👧‍👦", String(repeating: "x", count: longest), String(repeating: "\u{1}", count: longest),
      String(repeating: "\"", count: longest), String(repeating: "😀", count: longest / 4),
    ]
    for text in texts { #expect(await one.send(text, to: 2) == nil) }
    #expect(await eventually { two.texts.count == texts.count })
    // By bytes: Swift takes differently composed texts for equal.
    #expect(two.texts.map { Array($0.text.utf8) } == texts.map { Array($0.utf8) })
    #expect(one.states == [.connecting, .connected] && two.states == [.connecting, .connected])
  }

  @Test("longer texts and texts with U+0000 are refused; nothing else suffers", arguments: SignalWay.allCases)
  func refusedTexts(way: SignalWay) async throws {
    let stage = try SignalStage(way)
    let (one, two) = (await stage.user(1), await stage.user(2))
    for count in [SendRequest.maximumMessageByteCount + 1, 65_536, 3_000_000] {
      #expect(await one.send(String(repeating: "x", count: count), to: 2) == .messageTooLong(byteCount: count))
    }
    #expect(await one.send("a\0b", to: 2) == .messageNotText)
    #expect(await one.send("still here", to: 2) == nil)
    #expect(await eventually { two.texts.map(\.text) == ["still here"] })
  }
}

extension SignalUser {
  /// The error of sending to `uid` once it is known that the user has gone; a logout takes a moment to get to the server.
  func offlineError(of uid: UInt) async -> SignalError? {
    for _ in 0..<1_000 {
      // A text that meets the logout on its way is not confirmed.
      if let error = await send("gone?", to: uid), error.isCertain { return error }
      try? await Task.sleep(nanoseconds: 20_000_000)
    }
    return nil
  }
}
