import Dispatch
import MediaEngine
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import CallAPI

@Suite("The life of a CallAPI", .timeLimit(.minutes(10)), .ownThread)
struct CallAPILifeTests {
  /// A hub that does nothing until it is let go on.
  private final class Gate: Sendable {
    let queue = DispatchQueue(label: "gate")
    var hub: InProcessSignalHub { InProcessSignalHub(post: { [queue] body in queue.async(execute: body) }) }
  }

  @Test("deinitializing calls the completions that wait, in order, and then its own")
  func pendingCompletions() async {
    let gate = Gate()
    let hub = gate.hub
    let user = await CallUser(1, hub)
    gate.queue.suspend()
    user.api.call(remoteUserID: 2, completion: user.done("call"))
    user.api.cancelCall(completion: user.done("cancel"))
    user.api.deinitialize(completion: user.done("deinitialize"))
    #expect(await user.hears("done deinitialize"))
    #expect(
      user.log.filter { $0.hasPrefix("done") } == [
        "done call: deinitialized", "done cancel: deinitialized", "done deinitialize",
      ])
    #expect(user.states == ["S(2,30)", "S(1,11)", "S(0,0)"])
    gate.queue.resume()
  }

  @Test("after deinitialize nothing is heard of the call, the channel, the token or signalling")
  func silence() async {
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub), await CallUser(2, hub))
    caller.api.call(remoteUserID: 2)
    #expect(await callee.hears("E142"))
    callee.api.deinitialize(completion: callee.done("deinitialize"))
    #expect(await callee.hears("done deinitialize"))
    #expect(callee.log.suffix(3) == ["S(0,0)", "E1", "done deinitialize"])
    #expect(await caller.hears("S(1,12)"))
    callee.clear()
    callee.rtc.happens(.remoteVideo(1))
    callee.rtc.happens(.left)
    callee.rtc.tokenExpires()
    caller.api.call(remoteUserID: 2)
    #expect(await caller.hears("E99"))
    await caller.settle()
    await withCheckedContinuation { continuation in callee.api.deinitialize { _ in continuation.resume() } }
    #expect(callee.log == [])
    #expect(callee.rtc.log == ["join R1", "leave R1"])
    #expect(callee.api.state == .idle && callee.api.callID.isEmpty)
  }

  @Test("what is left of an earlier initialization does not touch the next one")
  func earlierInitialization() async {
    let gate = Gate()
    let hub = gate.hub
    let user = await CallUser(1, hub)
    gate.queue.suspend()
    user.api.call(remoteUserID: 2)
    user.api.deinitialize()
    user.api.initialize(userID: 1, signalClient: user.signal)
    user.prepare()
    user.api.call(remoteUserID: 2, completion: user.done("call"))
    let isJoined = await eventually { user.rtc.joinCount == 2 }
    #expect(isJoined)
    user.clear()
    // The first call's message, its cancel and the second call's message fail now, in this order.
    user.rtc.happens(.remoteVideo(2), join: 0)
    user.rtc.happens(.left, join: 0)
    gate.queue.resume()
    #expect(await user.hears("error 210 110 1404"))
    await user.settle()
    #expect(user.log == ["done call: User 2 is not logged in; try again later.", "error 210 110 1404"])
  }

  @Test("an object that is let go in a call leaves its channel and calls the completions that wait")
  func lettingGo() async {
    let rtc = FakeCallRTC()
    let gate = Gate()
    let client = gate.hub.makeClient()
    let answers = Mutex<[String]>([])
    do {
      let api = CallAPI(rtc: rtc)
      api.initialize(userID: 1, signalClient: client)
      // No time limit: on a busy machine it would be over before the test looks.
      api.prepareForCall(PrepareConfiguration(roomID: "R1", callTimeoutMilliseconds: 0))
      gate.queue.suspend()
      api.call(remoteUserID: 2) { error in answers.withLock { $0.append(error?.message ?? "-") } }
      #expect(await eventually { rtc.log == ["join R1"] })
      withExtendedLifetime(api) {}
    }
    #expect(await eventually { rtc.log == ["join R1", "leave R1"] })
    #expect(await eventually { answers.withLock { $0 } == ["deinitialized"] })
    gate.queue.resume()
  }

  @Test("listeners are held weakly, called once however often added, and not after they have been taken away")
  func listeners() async {
    let hub = InProcessSignalHub()
    let user = await CallUser(1, hub)
    user.api.addListener(user)
    user.api.call(remoteUserID: 2)
    #expect(await user.hears("E140"))
    await user.settle()
    #expect(user.log.count { $0 == "E140" } == 1)
    weak var lost: CallUser?
    do {
      let other = await CallUser(3, hub)
      user.api.addListener(other)
      lost = other
      user.api.removeListener(user)
      other.api.deinitialize()
      await other.settle()
    }
    user.clear()
    user.api.cancelCall(completion: user.done("cancel"))
    #expect(await eventually { user.log.contains { $0.hasPrefix("done cancel") } })
    #expect(user.log.count == 1)
    for _ in 0..<1_000 where lost != nil { try? await Task.sleep(nanoseconds: 5_000_000) }
    #expect(lost == nil)
  }

  @Test("a listener may call back: what it asks for happens after the present reports")
  func callingBack() async {
    final class Rejecter: CallAPIListener {
      let api: CallAPI
      init(_ api: CallAPI) { self.api = api }
      func onCallStateChanged(
        state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
      ) { if state == .calling { api.reject(remoteUserID: 1, reason: "no") } }
    }
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub), await CallUser(2, hub))
    let rejecter = Rejecter(callee.api)
    callee.api.addListener(rejecter)
    caller.api.call(remoteUserID: 2)
    #expect(await caller.hears("S(1,6)"))
    // The other side may hear of it before this side's listeners.
    #expect(await callee.hears("E100"))
    #expect(callee.log.prefix(5) == ["S(2,32)", "E142", "E10", "S(1,5)", "E100"])
    #expect(callee.rtc.log == ["join R1", "leave R1"])
    callee.api.removeListener(rejecter)
  }

  /// What two listeners say in turn, beside one that has no opinion; and whether the channel is joined while it rings.
  @Test(
    "the first yes joins while it rings, a no of anybody else prevents it, no opinion does not count",
    arguments: [(false, nil, false), (nil, false, false), (false, true, true), (true, false, true), (nil, nil, true)]
      as [(Bool?, Bool?, Bool)])
  func opinionsOnJoiningWhileRinging(first: Bool?, second: Bool?, joins: Bool) async {
    final class Opinionated: CallAPIListener {
      let opinion: Bool?
      init(_ opinion: Bool?) { self.opinion = opinion }
      func onCallStateChanged(
        state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
      ) {}
      func canJoinRTCOnCalling(eventInfo: [String: JSONValue]) -> Bool? { opinion }
    }
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub), await CallUser(2, hub))
    let listeners = [Opinionated(first), Opinionated(second)]
    for listener in listeners { callee.api.addListener(listener) }
    caller.api.call(remoteUserID: 2)
    #expect(await eventually { callee.api.state == .calling })
    await callee.settle()
    #expect(callee.rtc.log == (joins ? ["join R1"] : []))
    withExtendedLifetime(listeners) {}
  }

  @Test("a listener that does not want it keeps a ringing call out of its channel")
  func notJoiningWhileRinging() async {
    final class Cautious: CallAPIListener {
      let isAsked = Mutex(false)
      func onCallStateChanged(
        state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
      ) {}
      func canJoinRTCOnCalling(eventInfo: [String: JSONValue]) -> Bool? {
        isAsked.withLock { $0 = eventInfo["fromUserId"] == 1 }
        return false
      }
    }
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub), await CallUser(2, hub))
    let cautious = Cautious()
    callee.api.addListener(cautious)
    caller.api.call(remoteUserID: 2)
    #expect(await eventually { callee.api.state == .calling })
    await callee.settle()
    #expect(cautious.isAsked.withLock { $0 } && callee.rtc.log == [])
    callee.api.accept(remoteUserID: 1)
    #expect(await caller.hears("S(3,7)"))
    #expect(await eventually { callee.rtc.log == ["join R1"] })
  }
}
