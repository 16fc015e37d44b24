import ControlWire
import EngineCore
import MediaBase
import Testing

/// A network that carries nothing for a while, without anybody being told.
@Suite struct SilenceTests {
  private func states(_ bench: CoreBench) -> [String] {
    transcript(bench.events).filter { $0.hasPrefix("state") || $0.hasPrefix("rejoined") }
  }

  @Test func `four seconds without data interrupt, ten more lose, and data ends both without rejoining`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.run(for: .seconds(10))
    #expect(states(bench) == ["state 2,0", "state 3,1"])
    bench.isLinkUp = false
    bench.run(for: .milliseconds(2_500))
    #expect(states(bench).last == "state 3,1")
    bench.run(for: .seconds(2))
    #expect(states(bench).last == "state 4,2")
    bench.run(for: .milliseconds(9_400))
    #expect(states(bench).last == "state 4,2")
    bench.run(for: .seconds(1))
    #expect(states(bench).last == "state 4,16")
    bench.isLinkUp = true
    bench.run(for: .seconds(2))
    #expect(states(bench).suffix(2) == ["state 3,15", "rejoined 7"])
    #expect(bench.joins.count == 1)
  }

  @Test func `a silence that outlasts consent makes the connection anew`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.isLinkUp = false
    bench.run(for: .seconds(45))
    #expect(bench.connectCount > 1)
    bench.isLinkUp = true
    bench.join()
    bench.run(for: .seconds(2))
    #expect(states(bench).suffix(2) == ["state 3,15", "rejoined 7"])
  }

  @Test func `a silence that never ends gives up after the last timeout and tries no more`() {
    var timing = ConnectionTiming()
    timing.giveUp = .seconds(60)
    let bench = CoreBench(timing: timing)
    bench.joinWithMedia()
    bench.isLinkUp = false
    bench.run(for: .seconds(66))
    #expect(states(bench).last == "state 5,4")
    let attempts = bench.connectCount
    bench.run(for: .seconds(60))
    #expect(bench.connectCount == attempts)
    bench.act { $0.leave(now: $1) }
    #expect(transcript(bench.events).suffix(2) == ["state 1,5", "left"])
  }

  @Test func `a process that has slept reads what has come before it counts as interrupted`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.act { $0.handleTimeout(now: $1 + .seconds(10)) }
    #expect(states(bench).last == "state 3,1")
    bench.act { $0.handleTimeout(now: $1 + .milliseconds(11_001)) }
    #expect(states(bench).last == "state 4,2")
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a quiet channel is not interrupted by a network that loses a third`(seed: UInt64) {
    let bench = CoreBench(role: .audience, seed: seed)
    bench.joinWithMedia()
    bench.lossPercent = 15
    bench.run(for: .seconds(60))
    #expect(!states(bench).contains("state 4,2"))
  }
}
