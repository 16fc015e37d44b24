import MediaBase
import RTPWire

/// Counts what comes of one stream (RFC 3550 appendix A.1, A.3, A.8).
struct ReceptionStatistics {
  /// Where a packet belongs.
  enum Verdict: Equatable {
    /// In the stream, at this index.
    case accepted(Int64)
    /// Far from the stream, but the second in a row: the sender has started anew, at this index.
    case restarted(Int64)
    /// Came before.
    case duplicate
    /// Far from the stream.
    case rejected
  }

  /// Packets further than this from the highest one are no loss or reordering.
  static let longestJump: Int64 = 1_000
  /// Packets further than this ahead are believed only when another one comes from there: a single one that is wrong would
  /// make all before it look lost.
  static let unconfirmedJump: Int64 = 64

  private let clockRate: Int64
  private var unwrapper = SequenceUnwrapper()
  private var seen = SeenWindow()
  private var base: Int64 = 0
  /// The number after the last packet that was not believed.
  private var suspect: UInt16?
  /// Packets whose numbers are old and whose timestamps are new, since the last one without contradiction.
  private var contradictions = 0
  private var highestTimestamp: UInt32 = 0
  /// Packets since the last start, retransmissions not counted.
  private var received: Int64 = 0
  /// Lost before the last start.
  private var lostBefore: Int64 = 0
  private var expectedAtReport: Int64 = 0
  private var receivedAtReport: Int64 = 0
  /// In ticks of the clock.
  private var jitterTicks = 0.0
  private var lastTimestamp: UInt32?
  private var lastTransit: UInt32 = 0
  private var senderReport: (ntpMiddle: UInt32, arrival: MediaInstant)?
  private(set) var hasReceivedSinceReport = false

  init(clockRate: Int64) { self.clockRate = clockRate }

  var highest: Int64? { unwrapper.highest }

  mutating func receive(_ header: RTPHeader, now: MediaInstant) -> Verdict {
    let number = header.sequenceNumber
    guard let highest = unwrapper.highest else { return .accepted(start(number, header.timestamp, now: now)) }
    let index = unwrapper.peek(number)
    if abs(index - highest) > Self.longestJump || index - highest > Self.unconfirmedJump {
      guard let suspect, number &- suspect < 16 else {
        suspect = number &+ 1
        return .rejected
      }
      if abs(index - highest) > Self.longestJump { return .restarted(startAgain(header, now: now)) }
    }
    suspect = nil
    if index <= highest, Int32(bitPattern: header.timestamp &- highestTimestamp) > 0 {
      return contradicted(header, now: now)
    }
    guard seen.insert(index) else { return .duplicate }
    received += 1
    hasReceivedSinceReport = true
    if index > highest {
      contradictions = 0
      _ = unwrapper.unwrap(number)
      highestTimestamp = header.timestamp
      updateJitter(header.timestamp, now: now)
    }
    return .accepted(index)
  }

  /// An old number with a new timestamp. One is wrong; several in a row say that the sender has started anew a little
  /// further back.
  private mutating func contradicted(_ header: RTPHeader, now: MediaInstant) -> Verdict {
    contradictions += 1
    guard contradictions >= 3 else { return .rejected }
    return .restarted(startAgain(header, now: now))
  }

  /// The place of a packet that came by retransmission; `nil` if it came before or is far from the stream.
  mutating func recover(_ sequenceNumber: UInt16) -> Int64? {
    guard let highest = unwrapper.highest else { return nil }
    let index = unwrapper.peek(sequenceNumber)
    guard highest - index <= Self.longestJump, index - highest <= Self.unconfirmedJump, seen.insert(index) else {
      return nil
    }
    if index > highest { _ = unwrapper.unwrap(sequenceNumber) }
    return index
  }

  mutating func receivedSenderReport(ntpTimestamp: UInt64, now: MediaInstant) {
    senderReport = (NTPTime.middle(ntpTimestamp), now)
  }

  /// Packets sent and not received, retransmissions not counted as received.
  var cumulativeLost: Int64 { lostBefore + expected - received }

  var jitter: MediaDuration { MediaDuration(nanoseconds: Int64(jitterTicks * 1e9 / Double(clockRate))) }

  /// The block for the next report; what comes after belongs to the one after.
  mutating func makeReportBlock(ssrc: UInt32, now: MediaInstant) -> RTCPReportBlock {
    let expectedNow = expected - expectedAtReport
    let lostNow = expectedNow - (received - receivedAtReport)
    expectedAtReport = expected
    receivedAtReport = received
    hasReceivedSinceReport = false
    let fraction = expectedNow > 0 && lostNow > 0 ? min(255, lostNow * 256 / expectedNow) : 0
    return RTCPReportBlock(
      ssrc: ssrc, fractionLost: UInt8(truncatingIfNeeded: fraction),
      cumulativeLost: Int32(clamping: cumulativeLost),
      // Indices start one cycle up, see `SequenceUnwrapper`.
      extendedHighestSequenceNumber: UInt32(truncatingIfNeeded: (highest ?? 65_536) - 65_536),
      jitter: UInt32(jitterTicks), lastSenderReport: senderReport?.ntpMiddle ?? 0,
      delaySinceLastSenderReport: senderReport.map { NTPTime.units(now - $0.arrival) } ?? 0)
  }

  private var expected: Int64 { highest.map { $0 - base + 1 } ?? 0 }

  private mutating func startAgain(_ header: RTPHeader, now: MediaInstant) -> Int64 {
    lostBefore += max(0, expected - received)
    return start(header.sequenceNumber, header.timestamp, now: now)
  }

  private mutating func start(_ number: UInt16, _ timestamp: UInt32, now: MediaInstant) -> Int64 {
    unwrapper = SequenceUnwrapper()
    let index = unwrapper.unwrap(number)
    seen = SeenWindow()
    _ = seen.insert(index)
    base = index
    received = 1
    expectedAtReport = 0
    receivedAtReport = 0
    hasReceivedSinceReport = true
    suspect = nil
    contradictions = 0
    highestTimestamp = timestamp
    lastTimestamp = nil
    updateJitter(timestamp, now: now)
    return index
  }

  private mutating func updateJitter(_ timestamp: UInt32, now: MediaInstant) {
    // Packets of one picture share a timestamp; only the first of them tells about the way.
    guard timestamp != lastTimestamp else { return }
    let nanoseconds = now.nanoseconds
    let arrival =
      nanoseconds / 1_000_000_000 &* clockRate &+ nanoseconds % 1_000_000_000 &* clockRate / 1_000_000_000
    let transit = UInt32(truncatingIfNeeded: arrival) &- timestamp
    if lastTimestamp != nil {
      let difference = Int32(bitPattern: transit &- lastTransit).magnitude
      // A jump of the sender's clock is not jitter.
      if Int64(difference) < 5 * clockRate { jitterTicks += (Double(difference) - jitterTicks) / 16 }
    }
    lastTimestamp = timestamp
    lastTransit = transit
  }
}
