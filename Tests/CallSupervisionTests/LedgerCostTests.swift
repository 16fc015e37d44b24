import ControlWire
import MediaBase
import Testing

@testable import CallSupervision

/// What many calls may cost.
@Suite("A ledger with very many calls") struct LedgerCostTests {
  private func bench(limitOfCallee: Int) -> LedgerBench {
    var configuration = CallLedgerConfiguration()
    configuration.maximumCallCountOfCallee = limitOfCallee
    return LedgerBench(ledger: CallLedger(configuration: configuration))
  }

  @Test("calls to one callee in one channel cost the same each from the first word to the last, however many")
  func callsToOneCallee() {
    /// Looks at calls for each of `count` calls, from the first word to the last.
    func looks(_ count: Int) -> Double {
      var bench = bench(limitOfCallee: .max)
      for number in 0..<count { bench.say(.videoCall, "\(number)", from: UInt(2 + number), to: 1) }
      #expect(bench.ledger.callCount == count)
      bench.say(.hangup, "", from: 1, to: 2)
      bench.join(2)
      bench.leave(2)
      bench.pass(300_000)
      #expect(bench.ledger.callCount == 0 && bench.hangups.count == 2 * (count - 1))
      return Double(bench.ledger.lookCount) / Double(count)
    }
    let (few, many) = (looks(100), looks(3_200))
    #expect(many < few + 1, "\(few), \(many)")
  }

  @Test("who comes to a channel costs nothing for others' calls that name it, nor does a word in a call of one's own")
  func strangersCalls() {
    var bench = bench(limitOfCallee: .max)
    for number in 0..<1_000 { bench.say(.videoCall, "\(number)", from: UInt(100 + number), to: 1) }
    bench.say(.videoCall, "own", from: 1, to: 2)
    let before = bench.ledger.lookCount
    bench.join(3)
    bench.leave(3)
    #expect(bench.ledger.lookCount == before)
    bench.say(.accept, "", from: 2, to: 1)
    bench.join(2)
    bench.say(.hangup, "", from: 1, to: 2)
    #expect(bench.changes.suffix(3) == ["own started", "own accepted", "own ended hangup by 1"])
    #expect(bench.ledger.lookCount - before < 10)
  }

  @Test("when very many calls are over at once, others have their turn in between; every call is told of once")
  func turns() {
    var bench = bench(limitOfCallee: .max)
    let count = 3 * CallLedger.turnCallCount
    for number in 0..<count { bench.say(.videoCall, "\(number)", from: UInt(2 + number), to: 1) }
    let end = CallLedger.Time(instant: .zero + .milliseconds(121_000), milliseconds: LedgerBench.epoch + 121_000)
    var ledger = bench.ledger
    var hangupCounts: [Int] = []
    for _ in 0..<4 {
      ledger.handleTimeout(now: end)
      var hangups = 0
      while let event = ledger.pollEvent() { if case .hangup = event { hangups += 1 } }
      hangupCounts.append(hangups)
      // As long as something is left, it is due.
      #expect(ledger.nextTimeout.map { $0 <= end.instant } == (hangupCounts.reduce(0, +) < 2 * count))
    }
    #expect(hangupCounts == Array(repeating: 2 * CallLedger.turnCallCount, count: 3) + [0])
  }

  @Test("calls to one callee have a limit: one that has ended makes room, and if all are open the next is told of only")
  func limitOfCallee() {
    var bench = bench(limitOfCallee: 3)
    for caller in 2...5 as ClosedRange<UInt> { bench.say(.videoCall, "\(caller)", from: caller, to: 1) }
    #expect(bench.changes == ["2 started", "3 started", "4 started", "5 unrecorded"])
    bench.say(.cancelCall, "3", from: 3, to: 1)
    bench.say(.videoCall, "6", from: 6, to: 1)
    #expect(bench.changes.suffix(2) == ["3 ended cancelled by 3", "6 started"])
    #expect(bench.ledger.record("3") == nil && bench.ledger.callCount == 3)
    // Calls of the callee's own are others.
    bench.say(.videoCall, "own", from: 1, to: 9)
    #expect(bench.changes.last == "own started")
  }

  @Test("names in reports have a limit for each side of a call, and all reports together; what is forgotten is free")
  func reports() {
    var configuration = CallLedgerConfiguration()
    configuration.maximumReportByteCount = 6_000
    var bench = LedgerBench(ledger: CallLedger(configuration: configuration))
    func names(_ prefix: String) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: (10..<40).map { (prefix + String(repeating: "x", count: 124) + "\($0)", 1) })
    }
    bench.connect("a", room: "a")
    #expect(bench.report("a", by: 1, costs: names("a")) == nil)
    // The same once more takes no more.
    #expect(bench.report("a", by: 1, costs: names("a")) == nil)
    #expect(bench.report("a", by: 1, costs: names("b"))?.message.contains("4096 bytes") == true)
    #expect(bench.report("a", by: 2, costs: names("a"))?.message.contains("all calls") == true)
    #expect(bench.ledger.record("a")?.costs == ["1": names("a")])
    bench.say(.hangup, "a", from: 1, to: 2)
    bench.pass(100_000)
    bench.connect("b", room: "b")
    #expect(bench.report("b", by: 2, costs: names("a")) == nil)
    let tooLong = ReportRequest(requestID: 1, callID: "b", kind: "ended", costs: names("a").merging(names("b")) { $1 })
    #expect(!tooLong.isValid)
  }

  @Test("a reason is cut in bytes too: what people take for one character may have any number of them")
  func reasons() throws {
    let long = "y" + String(repeating: "\u{301}", count: 10_000)
    let text = #"{"message_version":"1.0","fromUserId":1,"message_action":4,"hangupReason":"\#(long)"}"#
    let reason = try #require(try CallSignal(text: text).reason)
    // One byte, and whole characters of two.
    #expect(reason.utf8.count == CallSignal.maximumReasonByteCount - 1 && long.utf8.starts(with: reason.utf8))
  }
}
