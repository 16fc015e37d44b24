import ALSAAudio
import LinuxIO
import MediaBase
import TestSupport
import Testing

@Suite(.ownThread) struct NullPlayoutTests {
  @Test func `fill is asked for 10 ms of stereo, never faster than real time, and not after stop`() async throws {
    let playout = NullPlayout()
    let sizes = Collected<Int>()
    let start = MonotonicClock.now()
    try playout.start(fill: { sizes.add($0.count) }, onFailure: { _ in })
    #expect(await eventually { sizes.all.count >= 20 })
    playout.stop()
    let (count, elapsed) = (sizes.all.count, MonotonicClock.now() - start)
    #expect(Set(sizes.all) == [960])
    #expect(Int64(count) <= elapsed.milliseconds / 10 + 1)
    MonotonicClock.sleep(for: .milliseconds(30))
    #expect(sizes.all.count == count)
  }

  @Test func `it can be started again, and twice without harm`() async throws {
    let playout = NullPlayout()
    let calls = Collected<Int>()
    for round in 0..<2 {
      try playout.start(fill: { _ in calls.add(round) }, onFailure: { _ in })
      try playout.start(fill: { _ in calls.add(100) }, onFailure: { _ in })
      #expect(await eventually { calls.all.contains(round) })
      playout.stop()
      playout.stop()
    }
    #expect(Set(calls.all) == [0, 1])
  }
}
