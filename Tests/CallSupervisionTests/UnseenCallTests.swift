import CallSupervision
import MediaBase
import Testing

/// Who only says that calls are accepted cannot keep them open for ever, nor keep out others.
@Suite("Accepted calls whose channel is not seen here") struct UnseenCallTests {
  private func bench(_ change: (inout CallLedgerConfiguration) -> Void) -> LedgerBench {
    var configuration = CallLedgerConfiguration()
    change(&configuration)
    return LedgerBench(ledger: CallLedger(configuration: configuration))
  }

  private func accept(_ id: String, _ bench: inout LedgerBench, from: UInt, to: UInt) {
    bench.say(.videoCall, id, from: from, to: to, room: id)
    bench.say(.accept, id, from: to, to: from)
  }

  @Test("they end in the records after their time, and nobody is told; a report that one is connected changes nothing")
  func time() {
    var bench = bench { $0.unseenTimeout = .seconds(3_600) }
    accept("a", &bench, from: 1, to: 2)
    accept("b", &bench, from: 3, to: 4)
    #expect(bench.report("b", by: 3, kind: "connected") == nil)
    bench.pass(3_590_000)
    #expect(bench.ledger.record("a")?.endTime == nil && bench.ledger.record("b")?.endTime == nil)
    bench.pass(20_000)
    #expect(bench.changes.suffix(2).sorted() == ["a ended unended by 0", "b ended unended by 0"])
    bench.pass(100_000)
    #expect(bench.hangups.isEmpty && bench.removals.isEmpty && bench.ledger.callCount == 0)
  }

  @Test("the caller's oldest makes room for its next call, once its sides have had their time to come")
  func roomOfCaller() {
    var bench = bench { $0.maximumCallCountOfUser = 2 }
    accept("a", &bench, from: 1, to: 2)
    bench.pass(1_000)
    accept("b", &bench, from: 1, to: 3)
    bench.pass(28_000)
    bench.say(.videoCall, "early", from: 1, to: 4)
    #expect(bench.changes.last == "early unrecorded")
    bench.pass(2_000)
    bench.say(.videoCall, "c", from: 1, to: 4)
    #expect(bench.changes.suffix(2) == ["a ended unended by 0", "c started"])
    #expect(bench.ledger.callCount == 2 && bench.ledger.record("b") != nil && bench.hangups.isEmpty)
  }

  @Test("one whose side has been seen does not make room")
  func seen() {
    var bench = bench { $0.maximumCallCountOfUser = 1 }
    bench.connect()
    bench.pass(100_000)
    bench.say(.videoCall, "d", from: 1, to: 3)
    #expect(bench.changes.last == "d unrecorded" && bench.ledger.record("c")?.endTime == nil)
  }

  @Test("one to the same callee makes room, and one of anybody when there is no room at all")
  func roomOfOthers() {
    var callee = bench { $0.maximumCallCountOfCallee = 1 }
    accept("a", &callee, from: 2, to: 1)
    callee.pass(31_000)
    callee.say(.videoCall, "b", from: 3, to: 1)
    #expect(callee.changes.suffix(2) == ["a ended unended by 0", "b started"])

    var all = bench { $0.maximumCallCount = 2 }
    accept("a", &all, from: 1, to: 2)
    accept("b", &all, from: 3, to: 4)
    all.pass(31_000)
    all.say(.videoCall, "c", from: 5, to: 6)
    #expect(all.changes.suffix(2) == ["a ended unended by 0", "c started"])
    all.say(.hangup, "b", from: 3, to: 4)
    all.say(.videoCall, "d", from: 5, to: 6)
    #expect(all.changes.contains("c ended replaced by 5") && all.changes.last == "d started")
    #expect(all.ledger.callCount == 2)
  }
}
