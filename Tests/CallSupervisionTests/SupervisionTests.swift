import CallSupervision
import MediaBase
import TestSupport
import Testing

@Suite("Calls whose end got lost") struct SupervisionTests {
  @Test("a side that is gone for 30 s is removed: the other is told on both ways, and ends the call")
  func gone() {
    var bench = LedgerBench()
    bench.connect()
    bench.pass(10_000)
    bench.leave(2)
    bench.pass(29_000)
    #expect(bench.removals.isEmpty && bench.hangups.isEmpty)
    bench.pass(2_000)
    #expect(bench.removals == ["room [1] at 40 s"])
    #expect(bench.hangups == ["c 2>1 lost at 40 s"])
    // What becomes of the call is for its application to say, now or later.
    bench.pass(3_600_000)
    #expect(bench.changes.last == "c connected" && bench.removals.count == 1 && bench.hangups.count == 1)
    bench.say(.hangup, from: 1, to: 2)
    bench.leave(1)
    #expect(bench.changes.last == "c ended lost by 1")
    bench.pass(100_000)
    #expect(bench.removals.count == 1 && bench.hangups.count == 1 && bench.ledger.callCount == 0)
  }

  @Test("a side that comes back after the other was told is in the call as before, and missed again if it goes again")
  func backLate() {
    var bench = LedgerBench()
    bench.connect()
    bench.leave(2)
    bench.pass(100_000)
    bench.join(2)
    bench.pass(100_000)
    #expect(bench.removals == ["room [1] at 30 s"] && bench.changes.last == "c connected")
    bench.leave(1)
    bench.pass(31_000)
    #expect(bench.removals.last == "room [2] at 230 s" && bench.hangups.last == "c 1>2 lost at 230 s")
    bench.join(1)
    bench.say(.hangup, from: 1, to: 2)
    #expect(bench.changes.last == "c ended hangup by 1")
  }

  @Test("who has been told and goes without a word leaves nobody in the call: it is over after its time")
  func toldAndGone() {
    var bench = LedgerBench()
    bench.connect()
    bench.leave(2)
    bench.pass(40_000)
    bench.leave(1)
    bench.pass(29_000)
    #expect(bench.changes.last == "c connected")
    bench.pass(2_000)
    #expect(bench.changes.last == "c ended lost by 0" && bench.hangups.count == 1)
    // Whoever comes back to it alone is told; both together go on.
    var together = bench
    bench.join(2)
    bench.pass(60_000)
    #expect(bench.removals.last == "room [2] at 100 s" && bench.hangups.last == "c 1>2 lost at 100 s")
    together.join(2)
    together.join(1)
    together.pass(60_000)
    #expect(together.removals.count == 1 && together.hangups.count == 1 && together.ledger.callCount == 0)
  }

  @Test("a missing side that comes back after the other has hung up is told as of any hangup")
  func backAfterTheEnd() {
    var bench = LedgerBench()
    bench.connect()
    bench.leave(2)
    bench.pass(31_000)
    bench.say(.hangup, from: 1, to: 2)
    bench.leave(1)
    bench.join(2)
    bench.pass(31_000)
    #expect(bench.hangups == ["c 2>1 lost at 30 s", "c 1>2 hangup at 61 s"])
  }

  @Test("a side that comes back in time is not missed; gone again, its time begins anew")
  func backInTime() {
    var bench = LedgerBench()
    bench.connect()
    bench.leave(2)
    bench.pass(29_000)
    bench.join(2)
    bench.pass(20_000)
    bench.leave(2)
    bench.pass(29_000)
    #expect(bench.hangups.isEmpty)
    bench.pass(2_000)
    #expect(bench.removals == ["room [1] at 79 s"])
  }

  @Test("a call that was open before a restart ends as interrupted if nobody comes back, and nobody is told")
  func restartWithoutAnybody() {
    var bench = LedgerBench()
    bench.restore(isAccepted: true, isConnected: true)
    bench.pass(29_000)
    #expect(bench.changes.isEmpty)
    bench.pass(2_000)
    #expect(bench.changes == ["c ended interrupted by 0"] && bench.hangups.isEmpty && bench.removals.isEmpty)
    bench.pass(100_000)
    #expect(bench.ledger.callCount == 0)
  }

  @Test("a call goes on over a restart: both come back and hang up, or one stays away and is missed")
  func restartAndBack() {
    var bench = LedgerBench()
    bench.restore(isAccepted: true, isConnected: true)
    bench.pass(3_000)
    bench.join(1)
    bench.join(2)
    bench.pass(200_000)
    #expect(bench.changes.isEmpty)
    bench.say(.hangup, from: 2, to: 1)
    #expect(bench.changes == ["c ended hangup by 2"])

    var other = LedgerBench()
    other.restore(isAccepted: true, isConnected: true)
    other.join(1)
    other.pass(31_000)
    #expect(other.changes.isEmpty && other.removals == ["room [1] at 30 s"])

    var ringing = LedgerBench()
    ringing.restore(isAccepted: false, isConnected: false)
    ringing.pass(60_000)
    ringing.say(.accept, from: 2, to: 1)
    ringing.pass(200_000)
    #expect(ringing.changes == ["c accepted"])
    ringing.say(.hangup, from: 1, to: 2)
    #expect(ringing.changes.last == "c ended hangup by 1")
  }

  @Test("both gone: the call is over, and nobody is in the channel to be told")
  func bothGone() {
    var bench = LedgerBench()
    bench.connect()
    bench.leave(1)
    bench.leave(2)
    bench.pass(31_000)
    #expect(bench.removals.isEmpty && bench.hangups.isEmpty && bench.changes.last == "c ended lost by 0")
  }

  @Test("a call that is accepted but has only one side in the channel is as one whose side has gone")
  func neverConnected() {
    var bench = LedgerBench()
    bench.say(.videoCall, from: 1, to: 2)
    bench.join(1)
    bench.pass(5_000)
    bench.say(.accept, from: 2, to: 1)
    bench.pass(29_000)
    #expect(bench.hangups.isEmpty)
    bench.pass(2_000)
    #expect(bench.removals == ["room [1] at 35 s"])
    #expect(bench.hangups == ["c 2>1 neverConnected at 35 s"])
    var late = bench
    bench.say(.hangup, from: 1, to: 2)
    #expect(bench.changes.last == "c ended neverConnected by 1")
    late.join(2)
    #expect(late.changes.last == "c connected")
    late.leave(2)
    late.pass(31_000)
    #expect(late.hangups.last == "c 2>1 lost at 66 s")
  }

  @Test("a call whose media is elsewhere is let alone")
  func elsewhere() {
    var bench = LedgerBench()
    bench.say(.videoCall, from: 1, to: 2)
    bench.say(.accept, from: 2, to: 1)
    bench.pass(3_600_000)
    #expect(bench.hangups.isEmpty && bench.changes == ["c started", "c accepted"])
    #expect(bench.report(by: 1, kind: "connected") == nil)
    bench.pass(3_600_000)
    bench.say(.hangup, from: 1, to: 2)
    bench.pass(100_000)
    #expect(bench.hangups.isEmpty && bench.changes.last == "c ended hangup by 1")
  }

  @Test("a call that rings without end ends")
  func rings() {
    var bench = LedgerBench()
    bench.say(.videoCall, from: 1, to: 2)
    bench.pass(119_000)
    #expect(bench.hangups.isEmpty)
    bench.pass(2_000)
    #expect(bench.hangups == ["c 2>1 unanswered at 120 s", "c 1>2 unanswered at 120 s"])
  }

  @Test(
    "a call that nobody has accepted ends in silence if the two call each other again, in whichever direction",
    arguments: [false, true])
  func unansweredAndNext(isAccepted: Bool) {
    var bench = LedgerBench()
    bench.say(.videoCall, "old", from: 1, to: 2, room: "one's")
    bench.join(1, "one's")
    bench.pass(100_000)
    bench.say(.videoCall, "new", from: 2, to: 1, room: "two's")
    bench.join(2, "two's")
    if isAccepted {
      // The other call is over with it, and its caller may still be in its channel.
      bench.say(.accept, "new", from: 1, to: 2)
      bench.join(1, "two's")
    }
    bench.pass(90_000)
    #expect(bench.hangups.isEmpty)
    #expect(bench.ledger.record("old") == nil && bench.ledger.record("new")?.endTime == nil)
    #expect(bench.changes.contains(isAccepted ? "old ended glare by 0" : "old ended unanswered by 0"))
    // The new one ends as ever.
    bench.leave(2, "two's")
    bench.pass(31_000)
    #expect(
      bench.hangups
        == (isAccepted ? ["new 2>1 lost at 220 s"] : ["new 1>2 unanswered at 220 s", "new 2>1 unanswered at 220 s"]))
  }

  @Test("the end of a call that nobody has accepted does not take the two out of the channel of their next one")
  func unansweredInTheSameChannel() {
    var bench = LedgerBench()
    bench.say(.videoCall, "old", from: 1, to: 2)
    bench.join(1)
    bench.pass(100_000)
    bench.say(.videoCall, "new", from: 2, to: 1)
    bench.join(2)
    bench.pass(21_000)
    #expect(bench.changes.last == "old ended unanswered by 0")
    #expect(bench.hangups.isEmpty && bench.removals.isEmpty)
    // Others' calls do not count: who names the channel in a call cannot keep anybody in it.
    var other = LedgerBench()
    other.say(.videoCall, "old", from: 1, to: 2)
    other.join(1)
    other.pass(100_000)
    other.say(.videoCall, "stranger's", from: 3, to: 2)
    other.say(.videoCall, "too", from: 3, to: 1)
    other.pass(21_000)
    #expect(other.removals == ["room [1] at 120 s"] && other.hangups.count == 2)
  }

  @Test("who is still in the channel 30 s after the hangup has not heard it, and is told")
  func hangupLost() {
    var bench = LedgerBench()
    bench.connect()
    bench.pass(10_000)
    bench.say(.hangup, from: 1, to: 2)
    bench.leave(1)
    bench.pass(31_000)
    #expect(bench.removals == ["room [2] at 40 s"])
    #expect(bench.hangups == ["c 1>2 hangup at 40 s"])
  }

  @Test("who is in the next call in the same channel is left in peace")
  func nextCall() {
    var bench = LedgerBench()
    bench.connect("c")
    bench.say(.hangup, "c", from: 1, to: 2)
    bench.leave(1)
    bench.leave(2)
    bench.connect("d")
    bench.pass(100_000)
    #expect(bench.removals.isEmpty && bench.hangups.isEmpty)
    #expect(bench.ledger.record("c") == nil && bench.ledger.record("d")?.endTime == nil)
  }

  @Test("times are as configured")
  func configured() {
    var configuration = CallLedgerConfiguration()
    configuration.absenceTimeout = .milliseconds(500)
    var bench = LedgerBench(ledger: CallLedger(configuration: configuration))
    bench.connect()
    bench.leave(1)
    bench.pass(700)
    #expect(bench.removals == ["room [2] at 0 s"])
  }

  @Test(
    "whatever happens in whatever order, every call ends once and is forgotten",
    arguments: 1...200 as ClosedRange<UInt64>)
  func anything(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var bench = LedgerBench()
    let actions: [CallSignal.Action] = [.videoCall, .audioCall, .accept, .reject, .cancelCall, .hangup]
    for _ in 0..<300 {
      let (from, to) = (UInt.random(in: 1...4, using: &random), UInt.random(in: 1...4, using: &random))
      let id = ["a", "b", "c", "d", "e", ""].randomElement(using: &random) ?? ""
      let room = Bool.random(using: &random) ? "r" : "s"
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        bench.say(
          actions.randomElement(using: &random) ?? .hangup, id, from: from, to: to, room: room,
          isInternal: Bool.random(using: &random), isDelivered: Int.random(in: 0..<5, using: &random) > 0)
      case 5: bench.join(from, room)
      case 6: bench.leave(from, room)
      case 7: _ = bench.report(id, by: from, kind: "connected")
      default: bench.pass(Int64.random(in: 0...20_000, using: &random))
      }
    }
    for uid in 1...4 as ClosedRange<UInt> { for room in ["r", "s"] { bench.leave(uid, room) } }
    for id in ["a", "b", "c", "d", "e"] {
      guard let record = bench.ledger.record(id), record.endTime == nil else { continue }
      bench.say(.hangup, id, from: record.caller, to: record.callee)
    }
    bench.pass(300_000)
    #expect(bench.ledger.callCount == 0)
    let starts = bench.changes.filter { $0.hasSuffix("started") }.count
    let ends = bench.changes.filter { $0.contains("ended") }.count
    #expect(starts == ends && starts > 0)
  }
}
