import MediaEngine
import Testing

@testable import CallAPI

@Suite("Calls that meet, come twice or come again")
struct CallGlareTests {
  @Test("when both call at once, the smaller uid's call wins and the other accepts it", arguments: [UInt(1), 2])
  func glare(_ first: UInt) {
    var bench = CallBench.prepared()
    bench.call(first, 3 - first)
    bench.run(milliseconds: 5)
    bench.call(3 - first, first)
    bench.run(milliseconds: 200)
    #expect(bench.states(1) == ["S(2,30)", "S(3,7)", "S(4,13)"])
    #expect(bench.states(2) == ["S(2,30)", "S(3,8)", "S(4,13)"])
    #expect(
      bench.log(2).filter { $0.contains("R") } == [
        "join R2 video publishing", "leave R2", "join R1 video publishing", "reveal R1 1",
      ])
    #expect(bench.log(1).contains("CC 1") && bench.log(2).contains("CC 1"))
    #expect(bench[1].machine.callID == bench[2].machine.callID)
    #expect(bench.members.map(\.room) == ["R1", "R1"])
    #expect(bench.violations == [])
  }

  @Test("a call that surely nobody has heard of gives way to the other side's, also if that uid is greater")
  func unheard() {
    var bench = CallBench.prepared()
    bench.conditions.failure = 100
    bench.call(1, 2)
    bench.run(milliseconds: 50)
    bench.conditions.failure = 0
    bench.call(2, 1)
    bench.run(milliseconds: 200)
    #expect(bench.state(1) == .connected && bench.state(2) == .connected)
    #expect(bench.members.map(\.room) == ["R2", "R2"])
    #expect(bench.violations == [])
  }

  @Test(
    "a call that is taken over has its full time, however long the own one has waited",
    arguments: [CallType.video, .audio])
  func timeOfTakeover(_ type: CallType) {
    var bench = CallBench.prepared()
    bench.conditions.failure = 100
    bench.conditions.frameLoss = 100
    bench.call(1, 2, type)
    bench.run(milliseconds: 14_000)
    bench.conditions.failure = 0
    bench.clear()
    bench.call(2, 1)
    bench.run(milliseconds: 14_900)
    // Accepted by itself, or rings.
    let reached = type == .video ? CallState.connecting : .calling
    #expect(bench.state(1) == reached && bench.state(2) == reached)
    #expect(bench.log(1).filter { $0.hasPrefix("timer") } == ["timer 15000"])
    bench.run(milliseconds: 200)
    #expect(bench.state(1) == .prepared && bench.state(2) == .prepared)
    #expect(bench.violations == [])
  }

  @Test("who called for sound only is asked before its camera is shown to a video caller")
  func glareOfTypes() {
    var bench = CallBench.prepared()
    bench.call(1, 2, .video)
    bench.call(2, 1, .audio)
    bench.run(milliseconds: 50)
    #expect(bench.states(2) == ["S(2,31)", "S(2,32)"])
    #expect(bench.log(2).contains("E142"))
    #expect(bench.state(1) == .calling)
    bench.accept(2, 1)
    bench.run(milliseconds: 100)
    #expect(bench.state(1) == .connected && bench.state(2) == .connected)
    #expect(bench.violations == [])

    bench = .prepared()
    bench.call(1, 2, .audio)
    bench.call(2, 1, .video)
    bench.run(milliseconds: 200)
    #expect(bench.state(1) == .connected && bench.state(2) == .connected)
    #expect(bench.log(2).contains("join R1 audio publishing"))
    #expect(bench.violations == [])
  }

  @Test("a call that comes twice is one call")
  func duplicates() {
    var bench = CallBench.prepared()
    bench.conditions.duplication = 100
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    bench.accept(2, 1)
    bench.run(milliseconds: 100)
    bench.hangUp(2, 1)
    bench.run(milliseconds: 100)
    #expect(bench.states(1) == ["S(2,30)", "S(3,7)", "S(4,13)", "S(1,10)"])
    #expect(bench.states(2) == ["S(2,32)", "S(3,8)", "S(4,8)", "S(1,9)"])
    #expect(bench.violations == [])
  }

  @Test("a call that comes again after its end, or after its cancel, does not ring")
  func lateCalls() {
    var call = CallMessage(.videoCall, fromUserID: 1, callID: "a")
    call.fromRoomID = "R1"
    call.messageID = 1
    var cancel = CallMessage(.cancelCall, fromUserID: 1, callID: "a")
    cancel.messageID = 2
    for messages in [[call, cancel, call], [cancel, call]] {
      var bench = CallBench.prepared()
      for message in messages { bench.step(2) { $0.receive(message, now: $1) } }
      #expect(bench.state(2) == .prepared && bench.states(2).count { $0 == "S(2,32)" } == messages.count - 2)
    }
    // The call that lost a glare comes again when the other one is connected.
    var bench = CallBench.prepared()
    bench.call(1, 2)
    bench.call(2, 1)
    bench.run(milliseconds: 200)
    bench.clear()
    var lost = CallMessage(.videoCall, fromUserID: 2, callID: "call-2")
    lost.fromRoomID = "R2"
    let again = lost
    bench.step(1) { $0.receive(again, now: $1) }
    #expect(bench.log(1) == [] && bench.state(1) == .connected)
  }

  @Test("a caller who calls again while it rings is heard with its new call")
  func recallWhileRinging() {
    var bench = CallBench.prepared()
    bench.call(1, 2)
    bench.run(milliseconds: 50)
    bench.clear()
    // The caller's program has begun anew: its cancel never came.
    var again = CallMessage(.audioCall, fromUserID: 1, callID: "again")
    again.fromRoomID = "R9"
    let message = again
    bench.step(2) { $0.receive(message, now: $1) }
    #expect(
      bench.log(2) == [
        "timer off", "leave R1", "S(1,15)", "E110", "timer 15000", "S(2,33)", "E143", "join R9 audio", "E10",
      ])
    #expect(bench[2].machine.callID == "again")
    #expect(bench.violations == [])
  }

  @Test("a user who calls again during a call has ended it")
  func recallWhileConnected() {
    var bench = CallBench.connected()
    var again = CallMessage(.videoCall, fromUserID: 1, callID: "again")
    again.fromRoomID = "R1"
    let message = again
    bench.step(2) { $0.receive(message, now: $1) }
    #expect(bench.states(2) == ["S(1,10)", "S(2,32)"])
    #expect(bench.log(2).first?.hasPrefix("CD 1 ") == true)
    #expect(bench.log(2).suffix(2) == ["join R1 video", "E10"])
    #expect(bench.violations == [])
  }

  @Test("a user who calls again and again is refused beyond a limit, and each time its earlier call is over")
  func recallsWithoutEnd() {
    var bench = CallBench.prepared()
    for number in 1...6 {
      var call = CallMessage(.videoCall, fromUserID: 1, callID: "\(number)")
      (call.fromRoomID, call.messageID) = ("R1", Int64(number))
      let message = call
      bench.step(2) { $0.receive(message, now: $1) }
      if bench.state(2) == .calling { bench.accept(2, 1) }
    }
    // Three at once, and the rest is told that this user is busy, as far as that may be.
    #expect(bench.log(2).count { $0 == "M>accept 1" } == 3)
    #expect(bench.log(2).count { $0 == "M>reject busy 1" } == 3)
    #expect(bench.states(2).suffix(3) == ["S(2,32)", "S(3,8)", "S(1,10)"])
    #expect(bench.state(2) == .prepared && bench[2].machine.room == nil)
    bench.run(milliseconds: 300)
    var late = CallMessage(.videoCall, fromUserID: 1, callID: "late")
    late.fromRoomID = "R1"
    let message = late
    bench.step(2) { $0.receive(message, now: $1) }
    #expect(bench.state(2) == .calling && bench[2].machine.callID == "late")
    #expect(bench.violations == [])
  }

  @Test("a call without a room that can be, or from the user itself or nobody, is not one")
  func senselessCalls() {
    var bench = CallBench.prepared()
    bench.step(1) { $0.receive(CallMessage(.videoCall, fromUserID: 2, callID: "x"), now: $1) }
    for room in ["", "a/b", "caf\u{e9}", "line\n", String(repeating: "x", count: 64)] {
      var call = CallMessage(.videoCall, fromUserID: 2, callID: "x")
      call.fromRoomID = room
      let message = call
      bench.step(1) { $0.receive(message, now: $1) }
    }
    for uid in [UInt(1), 0] {
      var call = CallMessage(.videoCall, fromUserID: uid, callID: "x")
      call.fromRoomID = "R"
      let message = call
      bench.step(1) { $0.receive(message, now: $1) }
    }
    #expect(Set(bench.log(1)) == ["warning a call without a possible room, or from this user or nobody"])
    #expect(bench.log(1).count == 8 && bench.state(1) == .prepared)
  }

  @Test("when a server calls both for each other, both have to accept")
  func serverMatching() {
    var bench = CallBench.prepared()
    for uid in [UInt(1), 2] {
      var call = CallMessage(.videoCall, fromUserID: 3 - uid, callID: "match")
      call.fromRoomID = "M"
      let message = call
      bench.step(uid) { $0.receive(message, now: $1) }
    }
    bench.accept(1, 2)
    bench.run(milliseconds: 100)
    #expect(bench.state(1) == .connecting && bench.state(2) == .calling)
    #expect(bench.log(2).contains("E103"))
    bench.accept(2, 1)
    bench.run(milliseconds: 100)
    #expect(bench.state(1) == .connected && bench.state(2) == .connected)
    #expect(bench.violations == [])
  }

  @Test(
    "who a server has called is not connected before the other has accepted, whatever comes of it",
    arguments: [true, false])
  func serverMatchingEarly(waits: Bool) {
    let now = CallInstant(monotonic: .zero + .seconds(1), wallMilliseconds: 1)
    var machine = CallStateMachine(userID: 1)
    _ = machine.prepare(
      PrepareConfiguration(roomID: "R", isFirstFrameWaitingDisabled: !waits), completion: nil, now: now)
    var call = CallMessage(.videoCall, fromUserID: 2, callID: "match")
    call.fromRoomID = "M"
    _ = machine.receive(call, now: now)
    // An original client publishes while it rings.
    _ = machine.channel("M", .remoteVideo(2), now: now)
    _ = machine.accept(2, completion: nil, now: now)
    #expect(machine.state == .connecting)
    let effects = machine.receive(CallMessage(.accept, fromUserID: 2, callID: "match"), now: now)
    #expect(machine.state == .connected)
    #expect(effects.contains(.notify(.event(.remoteAccepted, text: nil))))
  }
}
