import MediaBase
import RTPWire
import Testing

@testable import ForwardingCore

@Suite("Reception statistics") struct ReceptionStatisticsTests {
  /// The jitter in ticks of 48 kHz after packets of 20 ms that arrive in the order of `numbers`, each when it is its turn.
  private func jitter(_ numbers: [Int64], from timestamp: UInt32) -> UInt32? {
    var statistics = ReceptionStatistics()
    for (turn, number) in numbers.enumerated() {
      statistics.count(
        index: 65_536 + number, timestamp: timestamp &+ UInt32(truncatingIfNeeded: number * 960), clockRate: 48_000,
        now: MediaInstant.zero + .milliseconds(Int64(5_000 + 20 * turn)))
    }
    return statistics.takeReport(
      ssrc: 1, highest: 65_536 + Int64(numbers.count) - 1, sender: nil, now: .zero + .seconds(60 as Int64))?.jitter
  }

  @Test(arguments: [0, UInt32.max - 20 * 960, 0x7FFF_FFFF])
  func `neighbours that change places make a jitter of no more than their distance, also where timestamps wrap`(
    timestamp: UInt32
  ) {
    #expect(jitter(Array(0..<60), from: timestamp) == 0)
    for place in [10, 30, 58] {
      var numbers = Array(Int64(0)..<60)
      numbers.swapAt(place, place + 1)
      let measured = jitter(numbers, from: timestamp) ?? .max
      // Three differences of at most 40 ms, each counted by a sixteenth.
      #expect(measured > 0 && measured <= 3 * 1_920 / 16)
    }
  }

  @Test func `a pause of a minute is no jitter`() {
    var statistics = ReceptionStatistics()
    for number in 0..<40 as Range<Int64> {
      let pause = number < 20 ? 0 : 60_000 as Int64
      statistics.count(
        index: 65_536 + number, timestamp: UInt32(number * 960), clockRate: 48_000,
        now: .zero + .milliseconds(20 * number + pause))
    }
    let report = statistics.takeReport(ssrc: 1, highest: 65_575, sender: nil, now: .zero + .seconds(90 as Int64))
    #expect(report?.jitter == 0 && report?.cumulativeLost == 0)
  }
}
