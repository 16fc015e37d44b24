import MediaBase
import Testing

@testable import CongestionControl

/// Flows on simulated lines with 20 ms each way and 400 ms of queue: what the estimate must make of them.
@Suite struct LinkTests {
  @Test(arguments: [300_000, 1_000_000, 3_000_000, 10_000_000], [1, 2, 3] as [UInt64])
  func `finds a line's rate within 2.5 s and keeps its queue short`(rate: Int, seed: UInt64) throws {
    let bench = LinkBench(.init(bitsPerSecond: rate), seed: seed)
    let flow = bench.addFlow()
    try bench.run(for: .seconds(30 as Int64))
    let early = flow.meanTarget(from: bench.time(2.5), to: bench.time(3.5)) / Double(rate)
    #expect((0.7...1.1).contains(early), "\(early) of the line after 2.5 s")
    let share = flow.deliveredRate(from: bench.time(5), to: bench.time(30)) / Double(rate)
    #expect((0.8...0.97).contains(share), "\(share) of the line later")
    // A packet of 1,200 bytes takes 32 ms on the slowest line.
    let limit = MediaDuration.milliseconds(rate <= 300_000 ? 110 : 45)
    #expect(bench.line.wait95(from: bench.time(2)) <= limit, "waits \(bench.line.wait95(from: bench.time(2)))")
    #expect(try #require(flow.audioWaits.max()) <= .milliseconds(1))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `follows a line that drops from 3 to 0_8 Mb per s within 2 s, and back within 6 s`(seed: UInt64) throws {
    let bench = LinkBench(.init(bitsPerSecond: 3_000_000), seed: seed)
    let flow = bench.addFlow(.init(demand: 4_000_000, production: 4_000_000))
    try bench.run(for: .seconds(20 as Int64))
    bench.line.conditions.bitsPerSecond = 800_000
    try bench.run(for: .seconds(20 as Int64))
    bench.line.conditions.bitsPerSecond = 3_000_000
    try bench.run(for: .seconds(30 as Int64))
    let low = flow.meanTarget(from: bench.time(22), to: bench.time(23))
    #expect((400_000...850_000).contains(low), "\(low) after two seconds")
    let kept = flow.deliveredRate(from: bench.time(25), to: bench.time(40))
    #expect(kept > 560_000, "\(kept) on the slow line")
    let again = flow.meanTarget(from: bench.time(46), to: bench.time(50))
    #expect((2_200_000...3_200_000).contains(again), "\(again) six seconds after the line is back")
    #expect(bench.line.wait95(from: bench.time(23)) <= .milliseconds(80))
  }

  @Test func `ten of a hundred packets lost at random do not cost the rate`() throws {
    for seed in UInt64(1)...4 {
      let bench = LinkBench(.init(bitsPerSecond: 3_000_000, loss: 0.1), seed: seed)
      let flow = bench.addFlow()
      try bench.run(for: .seconds(40 as Int64))
      let target = flow.meanTarget(from: bench.time(10), to: bench.time(40))
      #expect(target >= 0.7 * 3_000_000, "\(target) with seed \(seed)")
    }
  }

  @Test func `losses by a short queue bound the rate`() throws {
    let bench = LinkBench(.init(bitsPerSecond: 1_000_000, queueLimit: .milliseconds(30)))
    let flow = bench.addFlow()
    try bench.run(for: .seconds(30 as Int64))
    let target = flow.meanTarget(from: bench.time(5), to: bench.time(30))
    #expect((600_000...1_050_000).contains(target), "\(target)")
    #expect(bench.line.dropCount * 8 < bench.line.waits.count, "\(bench.line.dropCount) dropped")
  }

  @Test func `two flows share a line that one had alone`() throws {
    let bench = LinkBench(.init(bitsPerSecond: 3_000_000))
    let first = bench.addFlow()
    try bench.run(for: .seconds(15 as Int64))
    let second = bench.addFlow()
    try bench.run(for: .seconds(75 as Int64))
    let rates = [first, second].map { $0.deliveredRate(from: bench.time(60), to: bench.time(90)) }
    #expect((0.5...2).contains(rates[0] / rates[1]), "\(rates)")
    #expect(rates[0] + rates[1] > 2_200_000, "\(rates)")
  }

  @Test func `gives way to traffic that does not, and takes the line back`() throws {
    let bench = LinkBench(.init(bitsPerSecond: 3_000_000))
    let flow = bench.addFlow()
    try bench.run(for: .seconds(15 as Int64))
    bench.crossTraffic = 1_500_000
    try bench.run(for: .seconds(20 as Int64))
    bench.crossTraffic = 0
    try bench.run(for: .seconds(25 as Int64))
    let between = flow.deliveredRate(from: bench.time(20), to: bench.time(35))
    #expect((1_000_000...1_500_000).contains(between), "\(between)")
    #expect(flow.meanTarget(from: bench.time(50), to: bench.time(60)) > 2_300_000)
    #expect(bench.line.wait95(from: bench.time(18)) <= .milliseconds(100))
  }

  @Test func `a flow that needs little keeps its estimate, and gets more within a second`() throws {
    let bench = LinkBench(.init(bitsPerSecond: 3_000_000))
    let flow = bench.addFlow(.init(demand: 400_000, production: 400_000))
    try bench.run(for: .seconds(30 as Int64))
    let before = flow.meanTarget(from: bench.time(25), to: bench.time(30))
    #expect(before > 2_000_000, "\(before) while little is sent")
    flow.settings.production = 4_000_000
    flow.estimator.setDemand(4_000_000, now: bench.now)
    try bench.run(for: .seconds(10 as Int64))
    let after = flow.deliveredRate(from: bench.time(31), to: bench.time(40))
    #expect(after > 2_200_000, "\(after) when more is wanted")
  }

  @Test func `a flow whose line got faster while it needed little finds out by probes within 3 s`() throws {
    let bench = LinkBench(.init(bitsPerSecond: 600_000))
    let flow = bench.addFlow(.init(demand: 300_000, production: 300_000))
    try bench.run(for: .seconds(10 as Int64))
    bench.line.conditions.bitsPerSecond = 3_000_000
    flow.estimator.setDemand(2_000_000, now: bench.now)
    flow.settings.production = 300_000
    try bench.run(for: .seconds(3 as Int64))
    #expect(flow.meanTarget(from: bench.time(12.5), to: bench.time(13)) > 1_500_000)
  }

  @Test func `a third of the feedback lost, the rest out of order, packets out of order`() throws {
    let bench = LinkBench(.init(bitsPerSecond: 2_000_000, jitter: .milliseconds(10), reorders: true))
    let flow = bench.addFlow(.init(feedbackLoss: 0.3, feedbackReorders: true))
    try bench.run(for: .seconds(40 as Int64))
    let rate = flow.deliveredRate(from: bench.time(5), to: bench.time(40))
    #expect((1_500_000...2_000_000).contains(rate), "\(rate)")
    #expect(bench.line.wait95(from: bench.time(3)) <= .milliseconds(120))
    // Packets that overtook each other were not lost.
    #expect(flow.estimator.lossRate < 0.02)
  }

  @Test func `without feedback the rate goes down, and comes back with it`() throws {
    let bench = LinkBench(.init(bitsPerSecond: 2_000_000))
    let flow = bench.addFlow(.init(demand: 3_000_000, production: 3_000_000))
    try bench.run(for: .seconds(10 as Int64))
    flow.settings.feedbackLoss = 1
    try bench.run(for: .seconds(6 as Int64))
    #expect(flow.meanTarget(from: bench.time(15.5), to: bench.time(16)) < 500_000)
    flow.settings.feedbackLoss = 0
    try bench.run(for: .seconds(12 as Int64))
    #expect(flow.meanTarget(from: bench.time(16.5), to: bench.time(18)) > 1_200_000)
    #expect(flow.meanTarget(from: bench.time(26), to: bench.time(28)) > 1_200_000)
    #expect(bench.line.wait95(from: bench.time(16)) <= .milliseconds(120))
  }

  @Test func `a rate that fell for want of feedback stays low where the line has become narrow meanwhile`() throws {
    let bench = LinkBench(.init(bitsPerSecond: 2_000_000))
    let flow = bench.addFlow(.init(demand: 3_000_000, production: 3_000_000))
    try bench.run(for: .seconds(10 as Int64))
    flow.settings.feedbackLoss = 1
    bench.line.conditions.bitsPerSecond = 300_000
    try bench.run(for: .seconds(6 as Int64))
    flow.settings.feedbackLoss = 0
    try bench.run(for: .seconds(6 as Int64))
    #expect(flow.meanTarget(from: bench.time(17), to: bench.time(22)) < 400_000)
  }

  @Test func `one seed, one run`() throws {
    func run(_ seed: UInt64) throws -> (UInt64, [Int]) {
      let bench = LinkBench(.init(bitsPerSecond: 900_000, loss: 0.03, jitter: .milliseconds(5)), seed: seed)
      let flow = bench.addFlow(.init(feedbackLoss: 0.1))
      try bench.run(for: .seconds(10 as Int64))
      return (flow.hash, flow.targets.map(\.bitrate))
    }
    let (first, second, other) = (try run(5), try run(5), try run(6))
    #expect(first == second)
    #expect(first.0 != other.0)
  }
}
