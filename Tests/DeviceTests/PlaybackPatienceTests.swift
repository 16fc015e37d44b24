import MediaBase
import Testing

@testable import ALSAAudio

@Suite struct PlaybackPatienceTests {
  @Test func `a device that runs dry again and again gets a longer buffer, one that does so now and then does not`() {
    var patience = PlaybackPatience()
    var now = MediaInstant(nanoseconds: 0)
    for _ in 0..<100 {
      now = now + .seconds(1)
      let verdict = patience.noteInterruption(now)
      #expect(verdict == .bearable)
    }
    #expect(patience.periods == 4)
    var longer = 0
    for index in 1...20 where patience.noteInterruption(now + .milliseconds(20 * Int64(index))) == .needsLongerBuffer {
      longer += 1
    }
    #expect(longer == 3 && patience.periods == 32)
  }

  @Test func `a device that runs dry faster than its longest buffer plays is gone, one that plays it is not`() {
    var patience = PlaybackPatience()
    var now = MediaInstant(nanoseconds: 0)
    while patience.periods < 32 { _ = patience.noteInterruption(now) }
    for _ in 0..<100 {
      now = now + .milliseconds(320)
      let verdict = patience.noteInterruption(now)
      #expect(verdict == .bearable)
    }
    var verdicts: [PlaybackPatience.Verdict] = []
    while verdicts.count < 100, verdicts.last != .isGone {
      now = now + .microseconds(200)
      verdicts.append(patience.noteInterruption(now))
    }
    #expect(verdicts.last == .isGone && verdicts.count <= 21)
    #expect(verdicts.dropLast().allSatisfy { $0 == .bearable })
  }
}
