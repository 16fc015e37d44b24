import MediaEngine
import Testing

@testable import CallAPI

/// Users 1 (caller, room R1), 2 (callee) and 3 on the simulated link, with all that listeners and completions are told.
@Suite("Whole calls, told step by step")
struct CallScenarioTests {
  /// Until the callee rings and both have joined; the caller's first frame is on its way.
  private func ringing(_ type: CallType = .video, frameDelay: Int64 = 30) -> CallBench {
    var bench = CallBench.prepared()
    bench.conditions.frameDelay = frameDelay...frameDelay
    bench.call(1, 2, type)
    bench.run(milliseconds: 35)
    bench.clear()
    return bench
  }

  @Test("1: both join while it rings, and the frames come after the accept")
  func frameAfterAccept() {
    var bench = CallBench.prepared()
    bench.conditions.frameDelay = 200...200
    bench.call(1, 2)
    #expect(bench.told(1) == ["S(2,30)", "E140", "E10"])
    bench.run(milliseconds: 35)
    #expect(bench.told(1).dropFirst(3) == ["done call", "E99", "E5", "E111", "E107"])
    #expect(bench.told(2) == ["S(2,32)", "E142", "E10", "E5", "E111", "E107"])
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.told(2) == ["S(3,8)", "E104"])
    bench.run(milliseconds: 300)
    #expect(bench.told(2) == ["S(3,8)", "E104", "done accept", "E113", "CC 1", "S(4,13)"])
    #expect(bench.told(1) == ["S(3,7)", "E103", "E113", "CC 1", "S(4,13)"])
    for uid in [UInt(1), 2] {
      guard case .object(let costs) = bench[uid].infos.last?["costTimeMap"] else {
        Issue.record("no costs")
        return
      }
      #expect(costs["acceptCall"] != nil && costs["recvFirstFrame"] != nil)
      #expect((costs["remoteUserRecvCall"] != nil) == (uid == 1))
    }
    #expect(bench.violations == [])
  }

  @Test("2: the frame comes before the accept: the accept connects")
  func frameBeforeAccept() {
    var bench = ringing()
    bench.run(milliseconds: 60)
    // The callee does not publish before it accepts; a caller of whom one has agreed to is told the first frame early.
    #expect(bench.told(2) == ["E113"])
    bench.happens(1, .remoteVideo(2))
    #expect(bench.told(1) == ["E113"])
    bench.clear()
    bench.accept(2, 1)
    bench.run(milliseconds: 12)
    #expect(bench.told(2) == ["S(3,8)", "E104", "CC 1", "S(4,8)", "done accept"])
    #expect(bench.told(1) == ["S(3,7)", "E103", "CC 1", "S(4,7)"])
  }

  @Test("3: a callee who must not join while it rings joins on the accept, before connecting is told")
  func joinOnAccept() {
    var bench = CallBench.prepared()
    bench[2].joinsOnCalling = false
    bench.call(1, 2)
    bench.run(milliseconds: 35)
    #expect(bench.log(2) == ["timer 15000", "S(2,32)", "E142"])
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.log(2) == ["M>accept 1", "join R1 video publishing", "E10", "S(3,8)", "E104"])
    bench.run(milliseconds: 100)
    #expect(bench.told(2).suffix(3) == ["E113", "CC 1", "S(4,13)"])
    #expect(bench.violations == [])
  }

  @Test("4: an audio call has no camera, no picture and no canvas; the first sound connects it")
  func audio() {
    var bench = CallBench.prepared()
    bench.call(1, 2, .audio)
    #expect(bench.log(1) == ["M>audio call 2", "timer 15000", "S(2,31)", "E141", "join R1 audio publishing", "E10"])
    bench.run(milliseconds: 12)
    #expect(bench.log(2) == ["timer 15000", "S(2,33)", "E143", "join R1 audio", "E10"])
    bench.run(milliseconds: 100)
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.log(2).contains("publish R1 audio"))
    bench.happens(1, .remoteVideo(2))
    #expect(bench.log(1) == [])
    bench.run(milliseconds: 100)
    #expect(bench.told(1) == ["S(3,7)", "E103", "E113", "CC 1", "S(4,13)"])
    #expect(bench.violations == [])
  }

  @Test("7: a rejected call, with its reason")
  func rejected() {
    var bench = ringing()
    bench.reject(2, 1, reason: "x")
    #expect(bench.log(2) == ["M>reject 1", "timer off", "leave R1", "S(1,5)", "E100"])
    bench.run(milliseconds: 100)
    #expect(bench.told(1) == ["S(1,6)", "E101", "E108 0", "E112"] || bench.told(1) == ["S(1,6)", "E101", "E112"])
    #expect(bench[1].infos.last?["rejectReason"] == "x" && bench[1].infos.last?["rejectByInternal"] == 0)
    #expect(bench.violations == [])
  }

  @Test("8: whoever is in a call answers busy by itself and notices nothing")
  func busy() {
    var bench = CallBench.connected(users: 3)
    bench.call(3, 2)
    bench.run(milliseconds: 30)
    #expect(bench.log(2) == ["M>reject busy 3"])
    #expect(bench.told(3).filter { $0.hasPrefix("S") || $0 == "E117" } == ["S(2,30)", "S(1,17)", "E117"])
    // The busy answer names the call that it refuses, not the one that is under way.
    #expect(bench[3].infos.last?["callId"] == "call-2" && bench[1].machine.callID == "call-1")
    #expect(bench.state(1) == .connected && bench.state(2) == .connected && bench.log(1) == [])
    #expect(bench.violations == [])
  }

  @Test("9: a cancelled call")
  func cancelled() {
    var bench = ringing()
    bench.cancel(1)
    #expect(bench.log(1) == ["M>cancel 2", "timer off", "leave R1", "S(1,11)", "E109"])
    bench.run(milliseconds: 12)
    #expect(bench.log(2).suffix(4) == ["timer off", "leave R1", "S(1,12)", "E110"])
    #expect(bench[2].machine.callID.isEmpty && bench[2].infos.last?["cancelCallByInternal"] == 0)
    #expect(bench.violations == [])
  }

  @Test(
    "10 and 11: whoever's time is over first ends it for both, while it rings and while it connects",
    arguments: [UInt(1), 2])
  func timeout(_ impatient: UInt) {
    for accepts in [false, true] {
      var bench = CallBench()
      bench.prepare(impatient, timeout: 500)
      bench.prepare(3 - impatient)
      bench.conditions.frameLoss = 100
      bench.call(1, 2)
      bench.run(milliseconds: 50)
      if accepts { bench.accept(2, 1) }
      bench.run(milliseconds: 430)
      bench.clear()
      bench.run(milliseconds: 200)
      let other = 3 - impatient
      #expect(bench.log(impatient).first == "M>cancel by timer \(other)")
      #expect(bench.told(impatient).prefix(2) == ["S(1,14)", "E3"])
      #expect(bench.states(impatient).count == 1 && bench.states(other) == ["S(1,18)"])
      #expect(bench.told(other).contains("E4") && bench[other].infos.last?["cancelCallByInternal"] == 1)
      #expect(bench.violations == [])
    }
  }

  @Test("12: a hangup, and a new call at once with the same preparation")
  func hangUp() {
    var bench = CallBench.connected()
    bench.run(milliseconds: 500)
    bench.hangUp(1, 2)
    #expect(bench.log(1) == ["M>hangup 2", "CD 1 870", "timer off", "leave R1", "S(1,9)", "E105"])
    bench.call(1, 2)
    #expect(bench.states(1) == ["S(1,9)", "S(2,30)"])
    bench.run(milliseconds: 12)
    #expect(
      bench.log(2) == [
        "CD 1 910", "timer off", "leave R1", "S(1,10)", "E106", "timer 15000", "S(2,32)", "E142", "join R1 video",
        "E10",
      ])
    bench.run(milliseconds: 100)
    // The old channel's end is told late, and disturbs nobody.
    #expect(bench.told(1).count { $0 == "E112" } == 1 && bench.state(1) == .calling)
    #expect(bench.violations == [])
  }

  @Test("15: accepting after a cancel and accepting twice send nothing")
  func lateAndDoubleAccept() {
    var bench = ringing()
    bench.cancel(1)
    bench.run(milliseconds: 12)
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.log(2) == ["done accept: accept fail! current userId or roomId is empty"])
    bench = ringing(frameDelay: 500)
    bench.accept(2, 1)
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.log(2) == ["done accept: accept fail! current state[3] is not calling", "E9"])
    #expect(bench.violations == [])
  }

  @Test("17: a server calls both for each other: one accept rings on, the second connects both")
  func serverMatch() {
    var bench = CallBench.prepared()
    for uid in [UInt(1), 2] {
      var call = CallMessage(.videoCall, fromUserID: 3 - uid, callID: "match")
      call.fromRoomID = "M"
      let message = call
      bench.step(uid) { $0.receive(message, now: $1) }
      #expect(bench.told(uid) == ["S(2,32)", "E142", "E10"])
    }
    bench.run(milliseconds: 100)
    bench.clear()
    bench.accept(1, 2)
    #expect(bench.told(1) == ["S(3,8)", "E104"])
    bench.run(milliseconds: 500)
    #expect(bench.told(2) == ["E103", "E113"] && bench.states(1) == ["S(3,8)"])
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.told(2) == ["S(3,8)", "E104", "CC 1", "S(4,8)"])
    bench.run(milliseconds: 100)
    #expect(bench.told(1) == ["E103", "E113", "CC 2", "S(4,13)"])
    #expect(bench.violations == [])
  }

  @Test("25: a call that cannot be sent stays until it is given up; an accept that cannot be sent can be rejected")
  func sendFailures() {
    var bench = CallBench.prepared()
    bench.conditions.failure = 100
    bench.call(1, 2)
    bench.run(milliseconds: 12)
    #expect(
      bench.told(1) == [
        "S(2,30)", "E140", "E10", "done call: User 2 is not there.",
        "error 210 110 1404 call fail: User 2 is not there.",
      ])
    #expect(bench.state(1) == .calling)
    bench.clear()
    bench.cancel(1)
    #expect(bench.told(1) == ["S(1,11)", "E109"])

    bench = ringing(frameDelay: 500)
    bench.conditions.failure = 100
    bench.accept(2, 1)
    bench.run(milliseconds: 12)
    #expect(
      bench.told(2) == [
        "S(3,8)", "E104", "done accept: User 1 is not there.", "error 210 110 1404 accept fail: User 1 is not there.",
      ])
    bench.clear()
    bench.reject(2, 1)
    #expect(bench.told(2) == ["S(1,5)", "E100"])
  }

  @Test("26: preparing during a call is an error and nothing else")
  func preparingInACall() {
    var bench = CallBench.connected()
    bench.prepare(1)
    #expect(bench.log(1) == ["done prepare: currently busy"] && bench.state(1) == .connected)
  }

  @Test("27: a renewed token goes to the channel once, or to the next call's")
  func tokens() {
    var bench = CallBench.connected()
    bench.step(1) { $0.renewToken("new", now: $1) }
    #expect(bench.log(1) == ["token R1 new"])
    bench = .prepared()
    bench.step(1) { $0.renewToken("new", now: $1) }
    #expect(bench.log(1) == [])
    let effects = bench[1].machine.call(2, type: .video, callID: "x", completion: nil, now: bench.now)
    #expect(effects.contains(.join(room: "R1", token: "new", isVideo: true, peer: 2, publishes: true)))
  }

  @Test(
    "29: a host can stop publishing in its show before the call's channel is joined, and is told when to begin again")
  func showToCall() {
    var bench = CallBench.prepared()
    bench.call(1, 2)
    bench.run(milliseconds: 12)
    let lines = bench.log(2)
    let told = lines.firstIndex(of: "S(2,32)")
    let joined = lines.firstIndex(of: "join R1 video")
    #expect(told != nil && joined != nil && (told ?? 0) < (joined ?? 0))
    bench.accept(2, 1)
    bench.run(milliseconds: 300)
    bench.clear()
    bench.hangUp(1, 2)
    bench.run(milliseconds: 12)
    // The call's channel has been left by the time the host publishes in its show again.
    #expect(bench.log(2).filter { $0.hasPrefix("leave") || $0.hasPrefix("S(") } == ["leave R1", "S(1,10)"])
  }

  @Test("30: what callers add to a call wins over what they have prepared; answers carry their own sender's")
  func extensions() {
    var bench = CallBench()
    bench.prepare(1, userExtension: ["a": 1, "b": 1])
    bench.prepare(2, userExtension: ["c": 9])
    bench.call(1, 2, callExtension: ["b": 2, "c": 3])
    bench.run(milliseconds: 12)
    #expect(bench[2].infos.last?["fromUserExtension"] == .object(["a": 1, "b": 2, "c": 3]))
    bench.accept(2, 1)
    bench.run(milliseconds: 12)
    #expect(bench[1].infos.last?["fromUserExtension"] == .object(["c": 9]))
    bench.hangUp(1, 2)
    bench.run(milliseconds: 12)
    #expect(bench[2].infos.last?["fromUserExtension"] == .object(["a": 1, "b": 1]))
  }
}
