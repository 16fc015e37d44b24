import MediaBase
import Testing

@testable import CallAPI

@Suite("How calls end")
struct CallEndTests {
  @Test("whoever hangs up is told as the one on both sides, with the duration", arguments: [UInt(1), 2])
  func hangingUp(_ ender: UInt) {
    var bench = CallBench.connected()
    let other = 3 - ender
    bench.run(milliseconds: 1_000)
    bench.hangUp(ender, other, reason: "enough")
    bench.run(milliseconds: 100)
    let lines = bench.log(ender)
    #expect(lines.first == "M>hangup \(other)")
    #expect(lines.dropFirst().first?.hasPrefix("CD \(ender) 1") == true)
    #expect(lines.dropFirst(2) == ["timer off", "leave R1", "S(1,9)", "E105", "done hangup", "E112"])
    let others = bench.log(other)
    #expect(others.first?.hasPrefix("CD \(ender) 1") == true)
    #expect(others.dropFirst().prefix(4) == ["timer off", "leave R1", "S(1,10)", "E106"])
    #expect(bench[other].infos.last?["hangupReason"] == "enough")
    #expect(bench[other].machine.callID == "")
    #expect(bench.members.isEmpty)
    #expect(bench.violations == [])
  }

  @Test("after a call both can call again at once, in the same room")
  func callingAgain() {
    var bench = CallBench.connected()
    bench.hangUp(1, 2)
    bench.run(milliseconds: 50)
    bench.call(1, 2, .audio)
    bench.run(milliseconds: 100)
    bench.accept(2, 1)
    bench.run(milliseconds: 100)
    #expect(bench.states(1) == ["S(1,9)", "S(2,31)", "S(3,7)", "S(4,13)"])
    #expect(bench.states(2) == ["S(1,10)", "S(2,33)", "S(3,8)", "S(4,8)"])
    #expect(bench.violations == [])
  }

  @Test("a call can be rejected, with a reason")
  func rejecting() {
    var bench = CallBench.prepared()
    bench.call(1, 2)
    bench.run(milliseconds: 50)
    bench.clear()
    bench.reject(2, 1, reason: "not now")
    #expect(bench.log(2) == ["M>reject 1", "timer off", "leave R1", "S(1,5)", "E100"])
    bench.run(milliseconds: 100)
    #expect(bench.told(2).suffix(2) == ["done reject", "E112"])
    #expect(bench.told(1).prefix(2) == ["S(1,6)", "E101"])
    #expect(bench[1].infos.last?["rejectReason"] == "not now")
    #expect(bench.violations == [])
  }

  @Test("the caller can give up, and so can the callee")
  func cancelling() {
    for ender in [UInt(1), 2] {
      var bench = CallBench.prepared()
      bench.call(1, 2)
      bench.run(milliseconds: 50)
      bench.clear()
      bench.cancel(ender)
      #expect(bench.log(ender) == ["M>cancel \(3 - ender)", "timer off", "leave R1", "S(1,11)", "E109"])
      bench.run(milliseconds: 100)
      #expect(bench.told(3 - ender).prefix(2) == ["S(1,12)", "E110"])
      #expect(bench[3 - ender].machine.callID == "")
      #expect(bench.violations == [])
    }
  }

  @Test("with nothing to cancel, cancelling fails and changes nothing")
  func cancellingNothing() {
    var bench = CallBench()
    bench.cancel(1)
    bench.prepare(1)
    bench.clear()
    bench.cancel(1)
    #expect(bench.log(1) == ["done cancel: cancelCall fail! callingUserId is empty"])
    #expect(bench.state(1) == .prepared)
  }

  @Test("a call that nobody answers times out on both sides, whoever's time is over first")
  func timeout() {
    for impatient in [UInt(1), 2] {
      var bench = CallBench()
      bench.prepare(impatient, timeout: 500)
      bench.prepare(3 - impatient)
      bench.clear()
      bench.call(1, 2)
      bench.run(milliseconds: 480)
      #expect(bench.state(1) == .calling && bench.state(2) == .calling)
      bench.clear()
      bench.run(milliseconds: 100)
      #expect(
        bench.log(impatient) == [
          "M>cancel by timer \(3 - impatient)", "timer off", "leave R1", "S(1,14)", "E3", "E112",
        ])
      #expect(bench.states(3 - impatient) == ["S(1,18)"])
      #expect(bench.log(3 - impatient).contains("E4"))
      #expect(bench.violations == [])
    }
  }

  @Test("time can run out while connecting, but not once connected, nor without a limit")
  func timeoutWhileConnecting() {
    var bench = CallBench.prepared()
    bench.prepare(1, timeout: 500)
    bench.clear()
    bench.conditions.frameLoss = 100
    bench.call(1, 2)
    bench.run(milliseconds: 50)
    bench.accept(2, 1)
    bench.run(milliseconds: 600)
    #expect(bench.states(1) == ["S(2,30)", "S(3,7)", "S(1,14)"])
    #expect(bench.states(2) == ["S(2,32)", "S(3,8)", "S(1,18)"])
    #expect(bench.violations == [])

    var connected = CallBench.connected()
    connected.run(milliseconds: 60_000)
    #expect(connected.log(1) == [] && connected.log(2) == [])

    var patient = CallBench.prepared(timeout: 0)
    patient.call(1, 2)
    patient.run(milliseconds: 1_000_000)
    #expect(patient.state(1) == .calling && patient.state(2) == .calling)
  }

  @Test("deinitializing cancels a call that rings, hangs up one that is connected, and says nothing afterwards")
  func deinitializing() {
    var ringing = CallBench.prepared()
    ringing.call(1, 2)
    ringing.run(milliseconds: 50)
    ringing.clear()
    ringing.deinitialize(2)
    #expect(
      ringing.log(2) == [
        "M>cancel 1", "timer off", "leave R1", "S(1,11)", "E109", "timer off", "S(0,0)", "E1", "done deinitialize",
      ])
    ringing.run(milliseconds: 50)
    #expect(ringing.states(1) == ["S(1,12)"])
    #expect(ringing.violations == [])

    var bench = CallBench.connected()
    bench.deinitialize(1)
    #expect(
      bench.log(1) == ["M>hangup 2", "CD 1 370", "timer off", "leave R1", "S(0,0)", "E1", "done deinitialize"])
    bench.run(milliseconds: 50)
    #expect(bench.states(2) == ["S(1,10)"])
    bench.clear()
    bench.call(2, 1)
    bench.run(milliseconds: 50)
    #expect(bench.log(1) == [])
    #expect(bench.violations == [])
  }

  @Test("messages live as long as a call may ring: one that was held for 20 s rings if that is 30 s, not if it is 5 s")
  func lives() {
    for (timeout, states) in [(30_000, ["S(2,32)"]), (15_000, []), (5_000, []), (0, [])] {
      var bench = CallBench.prepared(timeout: timeout)
      bench.conditions.messageDelay = 20_000...20_000
      bench.call(1, 2)
      bench.run(milliseconds: 25_000)
      #expect(bench.states(2) == states, "\(timeout)")
      // The caller's cancel outlives its call.
      bench.run(milliseconds: 30_000)
      #expect(bench.state(2) == .prepared && bench.violations == [])
    }
  }

  @Test("an accept lives as long as its sender still waits; what ends a call at least 15 s")
  func livesOfAnswers() {
    func life(_ effects: [CallEffect]) -> Int? {
      for case .send(_, _, _, let life) in effects { return life }
      return -1
    }
    for (timeout, accept, end) in [(30_000, 10_000, 30_000), (5_000, 1, 15_000), (0, nil, nil)] as [(Int, Int?, Int?)] {
      var bench = CallBench.prepared()
      bench.prepare(2, timeout: timeout)
      bench.call(1, 2)
      bench.run(milliseconds: 100)
      var machine = bench[2].machine
      var later = bench.now
      later.monotonic = later.monotonic + .milliseconds(timeout >= 30_000 ? 19_910 : 6_000)
      #expect(life(machine.accept(1, completion: nil, now: later)).map { $0 / 100 } == accept.map { $0 / 100 })
      #expect(life(machine.hangUp(1, reason: nil, completion: nil, now: later)) == end)
      machine = bench[2].machine
      #expect(life(machine.cancelCall(completion: nil, now: later)) == end)
      machine = bench[2].machine
      #expect(life(machine.reject(1, reason: nil, completion: nil, now: later)) == end)
    }
  }
}
