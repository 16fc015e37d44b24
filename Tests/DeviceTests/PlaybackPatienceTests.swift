import MediaBase
import Testing

@testable import ALSAAudio

@Suite struct PlaybackPatienceTests {
  @Test func `a device that runs dry again and again gets a longer buffer, one that does so now and then does not`() {
    var patience = PlaybackPatience()
    var now = MediaInstant(nanoseconds: 0)
    for _ in 0..<100 {
      now = now + .seconds(1)
      let isLonger = patience.noteInterruption(now)
      #expect(!isLonger)
    }
    #expect(patience.periods == 4)
    var longer = 0
    for index in 1...40 where patience.noteInterruption(now + .milliseconds(20 * Int64(index))) { longer += 1 }
    #expect(longer == 3 && patience.periods == 32)
  }
}
