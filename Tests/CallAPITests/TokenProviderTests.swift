import MediaEngine
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import CallAPI

@Suite("Tokens for the rooms of calls", .timeLimit(.minutes(10)), .ownThread)
struct TokenProviderTests {
  /// Who is asked for tokens; answers when the test says so.
  private final class Desk: Sendable {
    private let questions = Mutex<[(room: String, uid: UInt, answer: @Sendable (String?) -> Void)]>([])

    var asked: [String] { questions.withLock { $0.map { "\($0.room) \($0.uid)" } } }

    func provider(_ room: String, _ uid: UInt, _ answer: @escaping @Sendable (String?) -> Void) {
      questions.withLock { $0.append((room, uid, answer)) }
    }

    func answer(_ index: Int, _ token: String?) { questions.withLock { $0[index].answer }(token) }

    func isAsked(_ count: Int) async -> Bool { await eventually { self.asked.count >= count } }
  }

  private func pair() async -> (caller: CallUser, callee: CallUser, desk: Desk) {
    let hub = InProcessSignalHub()
    let (caller, callee, desk) = (await CallUser(1, hub), await CallUser(2, hub), Desk())
    caller.api.prepareForCall(
      PrepareConfiguration(tokenProvider: desk.provider, callTimeoutMilliseconds: 0), completion: caller.done("again"))
    _ = await caller.hears("done again")
    caller.clear()
    return (caller, callee, desk)
  }

  @Test("the room is joined when its token has come, and what was to be done there is done then")
  func tokenOfTheRoom() async throws {
    let (caller, callee, desk) = await pair()
    caller.api.call(remoteUserID: 2)
    #expect(await desk.isAsked(1))
    #expect(await callee.hears("E10"))
    let room = try #require(desk.asked.first?.split(separator: " ").first)
    #expect(desk.asked == ["\(room) 1"] && room.count == 36)
    #expect(caller.rtc.log.isEmpty)
    callee.api.accept(remoteUserID: 1)
    #expect(await caller.hears("E103"))
    #expect(caller.rtc.log.isEmpty)
    desk.answer(0, "token of \(room)")
    #expect(await eventually { caller.rtc.log == ["join \(room)"] })
    #expect(caller.rtc.tokens == ["token of \(room)"])
    caller.rtc.happens(.remoteVideo(2))
    #expect(await caller.hears("S(4,13)"))
    caller.rtc.tokenExpires()
    #expect(await desk.isAsked(2))
    desk.answer(1, "next")
    #expect(await eventually { caller.rtc.log.last == "token \(room) next" })
    #expect(caller.log.contains("token expires"))
  }

  @Test("every call has another room, and asks for another token; an answer for a call that is over has no effect")
  func roomsDiffer() async {
    let (caller, callee, desk) = await pair()
    caller.api.call(remoteUserID: 2)
    #expect(await callee.hears("E10"))
    caller.api.cancelCall()
    #expect(await callee.hears("S(1,12)"))
    #expect(await caller.hears("E112"))
    caller.api.call(remoteUserID: 2)
    #expect(await desk.isAsked(2))
    desk.answer(0, "late")
    await caller.settle()
    #expect(caller.rtc.joinCount == 0)
    desk.answer(1, "good")
    #expect(await eventually { caller.rtc.tokens == ["good"] })
    #expect(Set(desk.asked).count == 2)
  }

  @Test("how a room whose token never came was to be encrypted is forgotten: the next call there is in the clear")
  func encryptionOfRoomNeverJoined() async {
    let (caller, callee, desk) = await pair()
    func prepare(_ policy: CallEncryptionPolicy) async {
      caller.api.prepareForCall(
        PrepareConfiguration(
          roomID: "R", tokenProvider: desk.provider, callTimeoutMilliseconds: 0, endToEndEncryption: policy),
        completion: caller.done("prepare"))
      _ = await caller.hears("done prepare")
    }
    await prepare(.preferred)
    caller.api.call(remoteUserID: 2)
    #expect(await desk.isAsked(1))
    #expect(caller.rtc.encryption(of: "R") == .awaited)
    caller.api.cancelCall()
    #expect(await caller.hears("E112"))
    #expect(await callee.hears("S(1,12)"))
    await prepare(.off)
    caller.api.call(remoteUserID: 2)
    #expect(await desk.isAsked(2))
    desk.answer(1, "good")
    #expect(await eventually { caller.rtc.joinCount == 1 })
    #expect(caller.rtc.encryption(of: "R") == .none)
    #expect(caller.log.count { $0 == "E112" } == 1)
  }

  @Test("without a token the room is not joined, and the application hears of it")
  func noToken() async {
    let (caller, _, desk) = await pair()
    caller.api.call(remoteUserID: 2)
    #expect(await desk.isAsked(1))
    desk.answer(0, nil)
    #expect(await caller.hears("error 100 100 110"))
    #expect(caller.rtc.log.isEmpty)
  }
}
