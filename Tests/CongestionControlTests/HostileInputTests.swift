import MediaBase
import RTPWire
import Testing

@testable import CongestionControl

/// Whatever the other side reports, nothing traps, and the rate stays within what was sent and configured.
@Suite struct HostileInputTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `any feedback at any time`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var now = MediaInstant.zero + .seconds(1 as Int64)
    var estimator = BandwidthEstimator(configuration: .init(maximumBitrate: 50_000_000), now: now)
    var number: UInt16 = 65_000
    for _ in 0..<3_000 {
      let step = Int.random(in: 0..<200, using: &random)
      now = step == 0 ? now + .seconds(Int64.random(in: 0...100_000, using: &random)) : now + .milliseconds(3)
      if step == 1 { now = now - .milliseconds(500) }
      estimator.sent(
        number, byteCount: Int.random(in: -5...70_000, using: &random) % 2_000, cluster: UInt8(step % 4), now: now)
      number &+= 1
      switch step % 7 {
      case 0: estimator.received(Self.feedback(near: number, using: &random), now: now)
      case 1: estimator.received(remoteBitrate: random.next(), now: now)
      case 2:
        estimator.received(
          fractionLost: [.nan, -.infinity, .infinity, 0.5, 7][step % 5],
          packetCount: Int(truncatingIfNeeded: random.next()),
          roundTripTime: MediaDuration(nanoseconds: Int64(truncatingIfNeeded: random.next())), now: now)
      case 3: estimator.setDemand(Int(truncatingIfNeeded: random.next()), now: now)
      case 4: while let cluster = estimator.pollProbe() { _ = cluster }
      default: estimator.handleTimeout(now: now)
      }
      let target = estimator.targetBitrate ?? 30_000
      #expect((30_000...50_000_000).contains(target))
    }
  }

  @Test func `a receiver that claims to have got all at once gains nothing`() {
    var now = MediaInstant.zero + .seconds(1 as Int64)
    var estimator = BandwidthEstimator(now: now)
    estimator.setDemand(1_000_000_000, now: now)
    estimator.startProbing(now: now)
    var (number, cluster): (UInt16, UInt8) = (0, 0)
    var highest = 0
    for tick in 0..<6_000 {
      now = now + .milliseconds(10)
      if let next = estimator.pollProbe() { cluster = next.id }
      // 400 kb/s, whatever the estimate and the probes want.
      estimator.sent(number, byteCount: 500, cluster: cluster, now: now)
      number &+= 1
      if tick % 5 == 4 {
        // All of one instant, long ago, one tick apart.
        let results = (0..<5).map { offset in
          TransportFeedback.PacketResult(
            sequenceNumber: number &- 5 &+ UInt16(offset),
            arrivalTime: .zero + .microseconds(Int64(tick + offset) * 250))
        }
        estimator.received(
          TransportFeedback(
            senderSSRC: 1, mediaSSRC: 2, feedbackCount: UInt8(truncatingIfNeeded: tick / 5), results: results),
          now: now)
      }
      highest = max(highest, estimator.targetBitrate ?? 0)
    }
    #expect(highest <= 1_500_000, "\(highest)")
  }

  private static func feedback(near number: UInt16, using random: inout SeededRandom) -> TransportFeedback {
    let base =
      Bool.random(using: &random)
      ? number &- UInt16.random(in: 0...60, using: &random) : UInt16(truncatingIfNeeded: random.next())
    var time = Int64.random(in: -(1 << 49)...(1 << 49), using: &random)
    let wild = Int.random(in: 0..<3, using: &random) == 0
    let results = (0..<Int.random(in: 0...80, using: &random)).map { offset in
      time &+=
        wild ? Int64(truncatingIfNeeded: random.next()) : Int64.random(in: -2_000_000...8_000_000, using: &random)
      return TransportFeedback.PacketResult(
        sequenceNumber: base &+ UInt16(offset),
        arrivalTime: Int.random(in: 0..<5, using: &random) == 0 ? nil : MediaInstant(nanoseconds: time))
    }
    return TransportFeedback(
      senderSSRC: 0, mediaSSRC: 0, feedbackCount: UInt8(truncatingIfNeeded: random.next()), results: results)
  }
}
