import MediaBase
import RTPWire

/// What a receiver report says of one stream (RFC 3550 section 6.4.1 and appendix A.3, A.8).
struct ReceptionStatistics {
  private var baseIndex: Int64?
  private var received: Int64 = 0
  private var expectedBefore: Int64 = 0
  private var receivedBefore: Int64 = 0
  private var lastTransit: Int64?
  /// In 1/16 of a tick.
  private var jitter: Int64 = 0

  /// Counts an original packet (no retransmission).
  mutating func count(index: Int64, timestamp: UInt32, clockRate: Int64, now: MediaInstant) {
    baseIndex = min(baseIndex ?? index, index)
    received += 1
    let arrival = now.nanoseconds / 1_000 &* clockRate / 1_000_000
    let transit = Int64(Int32(truncatingIfNeeded: arrival &- Int64(timestamp)))
    if let lastTransit {
      let difference = Int64(Int32(truncatingIfNeeded: transit &- lastTransit)).magnitude
      // A jump of seconds is a new time base (DTX, sleep), not jitter.
      if difference < UInt64(clockRate) * 4 { jitter += Int64(difference) - (jitter + 8) / 16 }
    }
    lastTransit = transit
  }

  /// Numbers that were passed over on purpose are not lost.
  mutating func skip(_ count: Int64) {
    if let base = baseIndex { baseIndex = base + count }
  }

  /// The block for a report sent now; starts the next interval. Nil before the first packet.
  mutating func takeReport(ssrc: UInt32, highest: Int64, sender: SourceReport?, now: MediaInstant) -> RTCPReportBlock? {
    guard let baseIndex else { return nil }
    let expected = highest - baseIndex + 1
    let expectedNow = expected - expectedBefore
    let lostNow = expectedNow - (received - receivedBefore)
    expectedBefore = expected
    receivedBefore = received
    let fraction = expectedNow > 0 && lostNow > 0 ? min(lostNow * 256 / expectedNow, 255) : 0
    let delay = sender.map { (now - $0.arrival).nanoseconds / 1_000 &* 65_536 / 1_000_000 } ?? 0
    return RTCPReportBlock(
      ssrc: ssrc, fractionLost: UInt8(truncatingIfNeeded: fraction),
      cumulativeLost: Int32(truncatingIfNeeded: min(max(expected - received, -0x80_0000), 0x7F_FFFF)),
      extendedHighestSequenceNumber: UInt32(truncatingIfNeeded: highest - 65_536),
      jitter: UInt32(truncatingIfNeeded: jitter / 16),
      lastSenderReport: sender.map { UInt32(truncatingIfNeeded: $0.ntpTimestamp &>> 16) } ?? 0,
      delaySinceLastSenderReport: UInt32(truncatingIfNeeded: delay))
  }
}
