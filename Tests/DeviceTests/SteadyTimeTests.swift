import MediaBase
import TestSupport
import Testing

@testable import ALSAAudio

/// Times of recorded pieces, on a virtual clock.
struct SteadyTimeTests {
  private static let step = MediaDuration.milliseconds(10)

  /// What is given for pieces that are measured this much late (or, negative, early), in milliseconds beside when they were
  /// recorded.
  private func errors(_ late: [Double]) -> [Double] {
    var times = SteadyTime()
    var given: [MediaInstant] = []
    for (index, milliseconds) in late.enumerated() {
      given.append(times.next(.zero + .seconds(1) + Self.step * Int64(index) + .seconds(milliseconds / 1_000)))
    }
    #expect(zip(given, given.dropFirst()).allSatisfy { $0 < $1 }, "times go back")
    return given.enumerated().map { ($1 - (.zero + .seconds(1) + Self.step * Int64($0))).seconds * 1_000 }
  }

  @Test func `jitter of some milliseconds is hardly seen`() {
    var random = SeededRandom(seed: 4)
    let given = errors((0..<500).map { _ in Double.random(in: -4...4, using: &random) })
    #expect(given.dropFirst(100).allSatisfy { abs($0) < 1.5 }, "\(given)")
  }

  @Test func `sound that is missing is seen at once`() {
    let given = errors(Array(repeating: 0, count: 100) + Array(repeating: 60, count: 10))
    #expect(given[99] == 0 && given[100...].allSatisfy { $0 == 60 })
  }

  @Test(arguments: [30.0, 45, 110])
  func `times that were too late by chance are right again soon`(late: Double) {
    let given = errors([late] + Array(repeating: 0, count: 300))
    #expect(abs(given[0] - late) < 0.001 && given[1...].suffix(100).allSatisfy { abs($0) < 1 }, "\(given)")
  }
}
