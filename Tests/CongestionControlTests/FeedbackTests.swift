import MediaBase
import RTPWire
import Testing

@testable import CongestionControl

@Suite struct FeedbackTests {
  private let start = MediaInstant.zero + .seconds(50 as Int64)

  private func feedback(_ base: UInt16, _ arrivals: [Int?], count: UInt8 = 0) -> TransportFeedback {
    TransportFeedback(
      senderSSRC: 1, mediaSSRC: 2, feedbackCount: count,
      results: arrivals.enumerated().map { offset, milliseconds in
        .init(
          sequenceNumber: base &+ UInt16(offset),
          arrivalTime: milliseconds.map { .zero + .milliseconds(Int64($0)) })
      })
  }

  @Test func `a packet that was reported lost and comes after all is no loss`() {
    var estimator = BandwidthEstimator(now: start)
    for offset in UInt16(0)..<40 {
      estimator.sent(65_530 &+ offset, byteCount: 1_000, now: start + .milliseconds(Int64(offset) * 10))
    }
    let now = start + .milliseconds(420)
    estimator.received(feedback(65_530, Array(0..<19) + [nil] + Array(20..<39)), now: now)
    estimator.received(feedback(65_530 &+ 19, [60], count: 1), now: now + .milliseconds(50))
    estimator.sent(34, byteCount: 1_000, now: now + .milliseconds(280))
    estimator.received(feedback(34, [400], count: 2), now: now + .milliseconds(300))
    #expect(estimator.lossRate == 0)
  }

  @Test func `packets that are named twice count once`() {
    var estimator = BandwidthEstimator(now: start)
    var single = BandwidthEstimator(now: start)
    for offset in UInt16(0)..<200 {
      let now = start + .milliseconds(Int64(offset) * 10)
      estimator.sent(offset, byteCount: 1_000, now: now)
      single.sent(offset, byteCount: 1_000, now: now)
      guard offset % 10 == 9 else { continue }
      let result = feedback(offset - 9, (0..<10).map { (Int(offset) - 9 + $0) * 10 }, count: UInt8(offset / 10))
      single.received(result, now: now + .milliseconds(20))
      for _ in 0..<3 { estimator.received(result, now: now + .milliseconds(20)) }
    }
    let rate = single.acknowledgedBitrate ?? 0
    #expect((700_000...900_000).contains(rate))
    #expect(estimator.acknowledgedBitrate == rate)
    #expect(estimator.roundTripTime == single.roundTripTime)
  }

  @Test func `feedback on packets that were not sent has no effect`() {
    var estimator = BandwidthEstimator(now: start)
    estimator.sent(10, byteCount: 1_000, now: start)
    estimator.received(feedback(20_000, Array(0..<500)), now: start + .milliseconds(50))
    // In the ring's place of number 10, but another one.
    estimator.received(feedback(10 + 2_048, [5]), now: start + .milliseconds(50))
    #expect(estimator.roundTripTime == nil)
    #expect(estimator.targetBitrate == nil)
    // After ten seconds a packet is forgotten.
    estimator.received(feedback(10, [5]), now: start + .seconds(11 as Int64))
    #expect(estimator.roundTripTime == nil)
  }

  @Test func `a ledger takes memory with the first packet`() {
    var ledger = SentPacketLedger()
    #expect(ledger.isEmpty == true)
    ledger.record(7, byteCount: 100_000, cluster: 3, now: start)
    #expect(ledger.isEmpty == false)
    let packet = ledger.packet(7, now: start + .milliseconds(80))
    #expect(packet?.sentAt == start)
    #expect(packet?.byteCount == 65_535)
    #expect(packet?.cluster == 3)
    #expect(ledger.packet(8, now: start) == nil)
  }

  @Test func `the peer's own estimate is the only one, then a bound, then too old to count`() throws {
    var estimator = BandwidthEstimator(now: start)
    estimator.received(remoteBitrate: 700_000, now: start)
    #expect(estimator.targetBitrate == 700_000)
    estimator.received(remoteBitrate: .max, now: start + .seconds(1 as Int64))
    #expect(estimator.targetBitrate == estimator.configuration.maximumBitrate)

    let bench = LinkBench(.init(bitsPerSecond: 2_000_000))
    let flow = bench.addFlow()
    try bench.run(for: .seconds(5 as Int64))
    flow.estimator.received(remoteBitrate: 500_000, now: bench.now)
    #expect(flow.estimator.targetBitrate == 500_000)
    try bench.run(for: .seconds(8 as Int64))
    #expect(flow.estimator.targetBitrate ?? 0 > 600_000)
  }

  @Test func `a peer that only estimates itself, and falls silent, gets less`() {
    var estimator = BandwidthEstimator(now: start)
    var now = start
    for tick in 0..<300 {
      now = now + .milliseconds(50)
      estimator.sent(UInt16(tick), byteCount: 5_000, now: now)
      if tick < 40, tick % 20 == 0 { estimator.received(remoteBitrate: 2_000_000, now: now) }
      estimator.handleTimeout(now: now)
      if tick == 100 { #expect(estimator.targetBitrate == 2_000_000) }
    }
    #expect(estimator.targetBitrate ?? .max < 500_000)
  }

  @Test func `timers rest while nothing is sent`() {
    var estimator = BandwidthEstimator(now: start)
    #expect(estimator.nextTimeout == nil)
    var now = start + .milliseconds(30)
    estimator.sent(1, byteCount: 100, now: now)
    var calls = 0
    while let timeout = estimator.nextTimeout, calls < 1_000 {
      now = max(now, timeout)
      estimator.handleTimeout(now: now)
      calls += 1
    }
    #expect((10...100).contains(calls))
  }
}
