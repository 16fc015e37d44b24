import MediaBase
import RTPWire
import Testing

@Suite struct TransportFeedbackTests {
  /// Results from `base` on, one for each arrival in steps of 250 µs.
  static func feedback(base: UInt16, ticks: [Int64?]) -> TransportFeedback {
    TransportFeedback(
      senderSSRC: 1, mediaSSRC: 2, feedbackCount: 3,
      results: ticks.enumerated().map { index, tick in
        TransportFeedback.PacketResult(
          sequenceNumber: base &+ UInt16(truncatingIfNeeded: index),
          arrivalTime: tick.map { MediaInstant(nanoseconds: $0 * 250_000) })
      })
  }

  static func parse(_ bytes: [UInt8]) throws -> TransportFeedback {
    try TransportFeedback(parsing: bytes.span.bytes, at: firstPacket(bytes))
  }

  @Test func theBytesAreThoseOfTheDraft() throws {
    // 64 ms * 2 is the reference; the packets come 1, 1 + 2 steps later, and one is missing in between.
    let bytes = written { check(Self.feedback(base: 0xFFFF, ticks: [513, nil, 515]).write(into: &$0) == 3) }
    check(
      bytes == [
        0x8F, 205, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0xFF, 0xFF, 0, 3, 0, 0, 2, 3, 0xA8, 0x00, 1, 2,
      ])
    check(try Self.parse(bytes) == Self.feedback(base: 0xFFFF, ticks: [513, nil, 515]))
  }

  @Test(arguments: 1...16) func feedbackWithPaddingAsBrowsersWriteItIsRead(count: Int) throws {
    let feedback = Self.feedback(base: 7, ticks: (0..<count).map { Int64($0) })
    var bytes = written { check(feedback.write(into: &$0) == count) }
    // The header's 20 bytes, a chunk, and a byte for each arrival.
    let padding = bytes.count - 22 - count
    if padding > 0 {
      bytes[0] |= 0x20
      bytes[bytes.count - 1] = UInt8(padding)
    }
    check(try Self.parse(bytes) == feedback)
  }

  @Test func everyMixtureOfLossesAndTimesReadsBackEqual() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let loss = max(0, Int.random(in: -45...90, using: &random))
      // Without losses steps may be as long as 16 bits allow; with losses the step over a gap must not be longer.
      let longest: [Int64] = loss == 0 ? [30_000] : [3, 150]
      let largest = longest.randomElement(using: &random) ?? 3
      var tick = Int64.random(in: 0...1_000_000, using: &random)
      var ticks: [Int64?] = (0..<Int.random(in: 1...200, using: &random)).map { _ in
        tick += Int64.random(in: -largest / 4...largest, using: &random)
        tick = max(tick, 0 as Int64)
        return Int.random(in: 0..<100, using: &random) < loss ? nil : tick
      }
      ticks[0] = ticks[0] ?? tick
      let feedback = Self.feedback(base: .random(in: 0...0xFFFF, using: &random), ticks: ticks)
      let bytes = written { check(feedback.write(into: &$0) == ticks.count) }
      check(bytes.count % 4 == 0)
      check(try Self.parse(bytes) == feedback)
    }
  }

  @Test func aLongRunTakesOneChunk() throws {
    var ticks = [Int64?](repeating: nil, count: 6_002)
    ticks[0] = 0
    ticks[6_001] = 1
    let feedback = Self.feedback(base: 5, ticks: ticks)
    let bytes = written { check(feedback.write(into: &$0) == 6_002) }
    check(bytes.count <= 32)
    check(try Self.parse(bytes) == feedback)
  }

  @Test func whereTheRoomEndsTheRestIsLeftForAnother() throws {
    let feedback = Self.feedback(base: 9, ticks: (0..<500).map { $0 * 300 })
    var count = 0
    let bytes = written(capacity: 200) { count = feedback.write(into: &$0) }
    check(bytes.count <= 200 && count > 0 && count < 500)
    check(try Self.parse(bytes).results == Array(feedback.results.prefix(count)))
    let none = written(capacity: 19) { check(feedback.write(into: &$0) == 0) }
    check(none.isEmpty)
  }

  @Test func aStepBeyondSixteenBitsEndsThePacket() throws {
    let feedback = Self.feedback(base: 9, ticks: [0, 1, 40_000, 40_001])
    let bytes = written { check(feedback.write(into: &$0) == 2) }
    check(try Self.parse(bytes).results == Array(feedback.results.prefix(2)))
  }

  @Test func nothingReceivedIsNoFeedback() {
    let bytes = written { check(Self.feedback(base: 9, ticks: [nil, nil]).write(into: &$0) == 0) }
    check(bytes.isEmpty)
  }

  @Test func missingStatusesAndTimesAreRefused() {
    let head: [UInt8] = [0x8F, 205, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 20, 0, 0, 2, 3]
    // Two chunks of one bit for 20 packets, all received, no times behind them.
    #expect(throws: RTPParseError.truncated) { try Self.parse(head + [0xBF, 0xFF, 0xBF, 0xFF]) }
    // A run of none.
    #expect(throws: RTPParseError.invalidField) { try Self.parse(head + [0x20, 0x00, 0, 0]) }
    // Symbol 3 is reserved.
    #expect(throws: RTPParseError.invalidField) { try Self.parse(head + [0x60, 20, 0, 0]) }
    // A run that covers fewer packets than promised.
    #expect(throws: RTPParseError.truncated) { try Self.parse(head + [0x00, 5, 0x00, 5]) }
    #expect(throws: RTPParseError.truncated) { try Self.parse([0x8F, 205, 0, 3] + Array(head[4..<16])) }
    #expect(throws: RTPParseError.invalidField) { try Self.parse([0x81] + head[1...] + [0, 20, 0, 0]) }
  }

  @Test func randomBytesNeverTrap() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2_000 {
      var bytes = (0..<4 * Int.random(in: 1...16, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
      }
      bytes[0] = 0x8F
      bytes[1] = 205
      bytes[2] = 0
      bytes[3] = UInt8(bytes.count / 4 - 1)
      if let feedback = try? Self.parse(bytes) { check(feedback.results.count <= 0xFFFF) }
    }
  }
}
