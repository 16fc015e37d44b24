import Dispatch
import MediaEngine
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import CallAPI

@Suite("CallAPI", .timeLimit(.minutes(10)), .ownThread)
struct CallAPITests {
  @Test("a whole call: everything is told in order on the callback queue")
  func wholeCall() async {
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub), await CallUser(2, hub))
    caller.api.call(remoteUserID: 2, completion: caller.done("call"))
    #expect(await caller.hears("E99"))
    #expect(await callee.hears("E10"))
    #expect(caller.log == ["S(2,30)", "E140", "E10", "done call", "E99"])
    #expect(callee.log == ["S(2,32)", "E142", "E10"])
    #expect(caller.api.state == .calling && caller.api.callID == callee.api.callID && !caller.api.callID.isEmpty)

    callee.api.accept(remoteUserID: 1, completion: callee.done("accept"))
    #expect(await caller.hears("E103"))
    callee.rtc.happens(.remoteVideo(1))
    caller.rtc.happens(.remoteVideo(2))
    #expect(await caller.hears("S(4,13)"))
    #expect(await callee.hears("S(4,13)"))
    #expect(caller.log.suffix(5) == ["S(3,7)", "E103", "E113", "CC R1 1 1", "S(4,13)"])
    #expect(callee.log.filter { $0 != "done accept" }.suffix(5) == ["S(3,8)", "E104", "E113", "CC R1 1 2", "S(4,13)"])
    #expect(caller.rtc.log == ["join R1", "reveal R1 2"])
    #expect(callee.rtc.log == ["join R1", "publish R1", "reveal R1 1"])

    caller.api.hangup(remoteUserID: 2, reason: "bye", completion: caller.done("hangup"))
    #expect(await callee.hears("S(1,10)"))
    #expect(await caller.hears("done hangup"))
    #expect(caller.log.contains("CD R1 1 1") && callee.log.contains("CD R1 1 2"))
    #expect(caller.rtc.log.last == "leave R1" && callee.rtc.log.last == "leave R1")
    #expect(caller.api.state == .prepared && caller.api.callID.isEmpty)
    #expect(!caller.wasOffQueue && !callee.wasOffQueue)
  }

  @Test("before initialize every request fails, and deinitialize is fine")
  func notInitialized() async {
    let user = Mutex<[String]>([])
    let api = CallAPI(rtc: FakeCallRTC())
    await withCheckedContinuation { continuation in
      api.call(remoteUserID: 2) { error in user.withLock { $0.append(error?.message ?? "-") } }
      api.prepareForCall(PrepareConfiguration(roomID: "R")) { error in
        user.withLock { $0.append(error?.message ?? "-") }
      }
      api.deinitialize { error in
        user.withLock { $0.append(error?.message ?? "-") }
        continuation.resume()
      }
    }
    #expect(user.withLock { $0 } == ["config is Empty", "config is Empty", "-"])
    #expect(api.state == .idle)
  }

  @Test("initializing twice is ignored with a word to the log")
  func initializingTwice() async {
    let hub = InProcessSignalHub()
    let user = await CallUser(1, hub)
    user.api.initialize(userID: 9, signalClient: user.signal)
    await user.settle()
    #expect(user.log.contains { $0.hasPrefix("debug must invoke 'deinitialize'") })
    #expect(user.api.state == .prepared)
  }

  @Test("a call that nobody answers times out by the clock, on both sides")
  func timeout() async {
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub, timeout: 30), await CallUser(2, hub))
    caller.api.call(remoteUserID: 2)
    #expect(await caller.hears("E3"))
    #expect(await callee.hears("E4"))
    #expect(caller.states == ["S(2,30)", "S(1,14)"] && callee.states == ["S(2,32)", "S(1,18)"])
  }

  @Test("calling somebody who is not there fails with signalling's code; the call stays until it is cancelled")
  func offline() async {
    let hub = InProcessSignalHub()
    let user = await CallUser(1, hub)
    user.api.call(remoteUserID: 2, completion: user.done("call"))
    #expect(await user.hears("error 210 110 1404"))
    #expect(user.log.contains("done call: User 2 is not logged in; try again later."))
    #expect(user.api.state == .calling)
    user.api.cancelCall()
    #expect(await user.hears("S(1,11)"))
  }

  @Test("an engine that refuses to join is told")
  func joinRefused() async {
    let hub = InProcessSignalHub()
    let user = await CallUser(1, hub)
    user.rtc.setCode(-2)
    user.api.call(remoteUserID: 2, callType: .audio)
    #expect(await user.hears("error 100 100 2"))
  }

  @Test(
    "an extension that is longer than a message may be is told with its size; the call can be given up, and the next goes"
  )
  func oversizedExtension() async {
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub), await CallUser(2, hub))
    let long = JSONValue.string(String(repeating: "x", count: 40_000))
    caller.api.call(remoteUserID: 2, callExtension: ["long": long], completion: caller.done("call"))
    #expect(await caller.hears("error 210 110 -1"))
    let done = caller.log.first { $0.hasPrefix("done call: The message has 40") }
    #expect(done?.hasSuffix("bytes; shorten it to 32768.") == true)
    #expect(caller.api.state == .calling && callee.log == [])
    caller.api.cancelCall()
    #expect(await caller.hears("E109"))
    caller.api.call(remoteUserID: 2)
    #expect(await callee.hears("E142"))
  }

  @Test("messages that are not calls, or pretend to be another's, change nothing and are told to the log")
  func foreignMessages() async {
    let hub = InProcessSignalHub()
    let user = await CallUser(1, hub)
    let stranger = hub.makeClient()
    await withCheckedContinuation { continuation in stranger.login(uid: 3) { _ in continuation.resume() } }
    for text in ["hello", "{}", messageText(from: "2", more: #","fromRoomId":"R","callId":"c""#)] {
      stranger.send(message: text, to: 1) { _ in }
    }
    #expect(await user.hears("debug a message of 3 pretends to be another's"))
    #expect(user.log.count { $0 == "debug fail to parse message" } == 2)
    #expect(user.api.state == .prepared)
    stranger.send(message: messageText(from: "3", more: #","fromRoomId":"R","callId":"c""#), to: 1) { _ in }
    #expect(await user.hears("S(2,32)"))
  }

  @Test("late news of an earlier call in the same channel do not touch the next one")
  func lateNews() async {
    let hub = InProcessSignalHub()
    let (caller, callee) = (await CallUser(1, hub), await CallUser(2, hub))
    caller.api.call(remoteUserID: 2)
    #expect(await callee.hears("E142"))
    caller.api.cancelCall()
    #expect(await callee.hears("E110"))
    caller.api.call(remoteUserID: 2)
    await caller.settle()
    caller.clear()
    caller.rtc.happens(.remoteVideo(2), join: 0)
    caller.rtc.happens(.failed(code: 109, message: nil), join: 0)
    await caller.settle()
    #expect(caller.rtc.joinCount == 2)
    #expect(caller.log.filter { $0.hasPrefix("E113") || $0.hasPrefix("error") } == [])
    callee.api.accept(remoteUserID: 1)
    #expect(await caller.hears("E103"))
    #expect(caller.api.state == .connecting)
  }
}
