@testable import ChannelServer
import MediaBase
import Testing

@Suite("When strangers' datagrams are kept out")
struct FloodGuardTests {
  /// A guard on a virtual clock, turned every millisecond, and what the kernel and the worker would count.
  private struct Stage {
    var flood = FloodGuard()
    var now = MediaInstant(nanoseconds: 1_000_000_000_000)
    var strangers: UInt64 = 0
    var additions: UInt64 = 0
    /// Nearly at its end, where it begins again.
    var refused = UInt32.max - 3_000
    var isFiltering = false
    var known: UInt64 = 0
    var filters = 0

    /// `rate` datagrams of strangers in each millisecond.
    mutating func run(milliseconds: Int, rate: Int, joinsEvery interval: Int = .max) {
      for millisecond in 0..<milliseconds {
        now = now + .milliseconds(1)
        if interval < .max, millisecond % interval == 0 { additions += 1 }
        if isFiltering { refused &+= UInt32(rate) } else { strangers += UInt64(rate) }
        switch flood.review(strangers: strangers, additions: additions, refused: refused, now: now) {
        case .none: break
        case .filter: (isFiltering, known, filters) = (true, additions, filters + 1)
        case .open: isFiltering = false
        }
        // Whoever has come is let in by the end of the turn in which it came.
        #expect(!isFiltering || known == additions)
      }
    }
  }

  @Test("some are normal, and are let in for ever")
  func normal() {
    var stage = Stage()
    stage.run(milliseconds: 60_000, rate: 4)
    #expect(stage.filters == 0)
  }

  @Test("a flood is kept out within a tenth of a second, for as long as it lasts and two seconds more")
  func flood() {
    var stage = Stage()
    stage.run(milliseconds: 1_000, rate: 1)
    stage.run(milliseconds: 100, rate: 50)
    #expect(stage.isFiltering)
    let before = stage.strangers
    stage.run(milliseconds: 30_000, rate: 50)
    #expect(stage.strangers == before && stage.filters == 1)
    #expect(stage.flood.refusedDatagrams(stage.refused) >= 30_000 * 50)
    // Nothing comes in that would bring the next look.
    #expect(stage.flood.nextReview.map { $0 > stage.now && $0 - stage.now <= .seconds(Int64(1)) } == true)
    stage.run(milliseconds: 1_800, rate: 0)
    #expect(stage.isFiltering)
    stage.run(milliseconds: 400, rate: 0)
    #expect(!stage.isFiltering && stage.flood.nextReview == nil)
  }

  @Test("it comes back at once with the next flood")
  func again() {
    var stage = Stage()
    for _ in 0..<5 {
      stage.run(milliseconds: 1_000, rate: 100)
      #expect(stage.isFiltering)
      stage.run(milliseconds: 3_000, rate: 0)
      #expect(!stage.isFiltering)
    }
    #expect(stage.filters == 5)
  }

  @Test(
    "who comes meanwhile is let in at once, and filters are not made faster than every 50 ms", arguments: [1, 7, 200])
  func joins(interval: Int) {
    var stage = Stage()
    stage.run(milliseconds: 10_000, rate: 100, joinsEvery: interval)
    #expect(stage.filters > 40 && stage.filters <= 201)
    let share = Double(stage.strangers) / 1_000_000
    // With few, hardly anything gets in; with many, what comes in the pauses.
    #expect(interval < 200 || share < 0.05, "\(share)")
    stage.run(milliseconds: 200, rate: 100)
    #expect(stage.isFiltering)
  }

  @Test("a worker that slept for long does not take the datagrams of all that time for a flood")
  func sleeping() {
    var stage = Stage()
    for _ in 0..<100 {
      stage.now = stage.now + .seconds(Int64(10))
      stage.refused &+= 20_000
      #expect(
        stage.flood.review(strangers: 0, additions: 0, refused: stage.refused, now: stage.now) == .none)
    }
  }
}
