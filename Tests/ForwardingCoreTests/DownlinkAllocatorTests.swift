import MediaBase
import Testing

@testable import ForwardingCore

@Suite struct DownlinkAllocatorTests {
  private func ladder(_ bitrates: [Double], current: Int = 0) -> AllocatedTrack {
    AllocatedTrack(
      rungs: bitrates.enumerated().map { AllocationRung(target: LayerTarget(spatial: UInt8($0)), bitrate: $1) },
      current: current)
  }

  @Test func `everybody gets the lowest before anybody gets more, then one rung each in turn`() {
    let tracks = [ladder([100, 300, 1_000]), ladder([100, 300, 1_000]), ladder([150])]
    #expect(DownlinkAllocator.allocate(tracks, bitrate: 350) == [0, 0, 0])
    #expect(DownlinkAllocator.allocate(tracks, bitrate: 550) == [1, 0, 0])
    #expect(DownlinkAllocator.allocate(tracks, bitrate: 750) == [1, 1, 0])
    #expect(DownlinkAllocator.allocate(tracks, bitrate: 1_450) == [2, 1, 0])
    #expect(DownlinkAllocator.allocate(tracks, bitrate: 2_150) == [2, 2, 0])
    #expect(DownlinkAllocator.allocate(tracks, bitrate: 10) == [-1, -1, -1])
    #expect(DownlinkAllocator.allocate(tracks, bitrate: 100) == [0, -1, -1])
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func `never costs more than there is, but for the lowest`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let tracks = (0..<Int.random(in: 1...30, using: &random)).map { _ in
      let steps = (0..<Int.random(in: 1...5, using: &random)).map { _ in Double.random(in: 20...900, using: &random) }
      return ladder(steps.indices.map { steps[0...$0].reduce(0, +) })
    }
    let bitrate = Double.random(in: -50...9_000, using: &random)
    let chosen = DownlinkAllocator.allocate(tracks, bitrate: bitrate)
    let cost = zip(chosen, tracks).reduce(0) { $0 + ($1.0 >= 0 ? $1.1.rungs[$1.0].bitrate : 0) }
    if chosen.contains(where: { $0 > 0 }) { #expect(cost <= bitrate + 0.001) }
    if chosen.contains(-1) { #expect(!chosen.contains { $0 > 0 } || bitrate < cost + 900) }
    #expect(cost * DownlinkAllocator.enoughForLowest <= max(bitrate, 0) + 0.001 || !chosen.contains { $0 > 0 })
  }

  @Test func `goes down at once, and up only after a second of room`() {
    var hysteresis = AllocationHysteresis()
    var track = ladder([100, 300, 1_000], current: 2)
    var now = MediaInstant.zero + .seconds(1 as Int64)
    track.current = hysteresis.choose([track], bitrate: 900, now: now)[0]
    #expect(track.current == 1)
    for step in 0..<12 {
      now = now + .milliseconds(100)
      track.current = hysteresis.choose([track], bitrate: 1_200, now: now)[0]
      #expect(track.current == (step < 10 ? 1 : 2), "step \(step)")
    }
    // Room without a margin is none.
    track.current = 1
    for _ in 0..<50 {
      now = now + .milliseconds(100)
      track.current = hysteresis.choose([track], bitrate: 1_100, now: now)[0]
    }
    #expect(track.current == 1)
  }

  @Test func `a path that swings about a rung does not make the picture jump all the time`() {
    var hysteresis = AllocationHysteresis()
    var track = ladder([100, 300, 1_000])
    var now = MediaInstant.zero + .seconds(1 as Int64)
    var changes = 0
    for step in 0..<1_200 {
      now = now + .milliseconds(100)
      // Two seconds of room, one second of none.
      let next = hysteresis.choose([track], bitrate: step % 30 < 20 ? 1_300 : 800, now: now)[0]
      if next != track.current { changes += 1 }
      track.current = next
    }
    #expect(changes <= 8, "\(changes) changes in two minutes")
  }

  @Test func `pauses only after two seconds without room for the lowest, and comes back once`() {
    var hysteresis = AllocationHysteresis()
    var track = ladder([500])
    var now = MediaInstant.zero + .seconds(1 as Int64)
    var history: [Int] = []
    for step in 0..<80 {
      now = now + .milliseconds(100)
      track.current = hysteresis.choose([track], bitrate: step < 40 ? 200 : 700, now: now)[0]
      history.append(track.current)
    }
    #expect(history[15] == 0 && history[25] == -1 && history[79] == 0)
    #expect(zip(history, history.dropFirst()).count { $0 != $1 } == 2)
    // Nearly enough is enough.
    for _ in 0..<50 {
      now = now + .milliseconds(100)
      track.current = hysteresis.choose([track], bitrate: 420, now: now)[0]
    }
    #expect(track.current == 0)
  }
}
