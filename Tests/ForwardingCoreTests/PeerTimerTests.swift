@testable import ForwardingCore
import MediaBase
import Testing

@Suite("The wheel of the peers' timers")
struct PeerTimerTests {
  @Test(
    "every peer is looked at no earlier than it asked, and within a step after or a turn of the wheel",
    arguments: 0..<20 as Range<UInt64>)
  func order(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var timers = PeerTimers()
    var now = MediaInstant(nanoseconds: Int64.random(in: 0...1_000_000_000_000, using: &random))
    var wanted: [Int32: (time: MediaInstant, tick: Int64)] = [:]
    for _ in 0..<2_000 {
      if random.next() % 3 > 0 {
        let peer = Int32.random(in: 0..<50, using: &random)
        let time = now + .microseconds(Int64.random(in: -100_000...10_000_000, using: &random))
        if let tick = timers.add(peer, at: time, now: now) { wanted[peer] = (max(time, now), tick) }
      }
      #expect(timers.next != nil || wanted.isEmpty)
      now = now + .microseconds(Int64.random(in: 0...200_000, using: &random))
      while let (tick, peer) = timers.takeDue(now: now) {
        #expect(tick * PeerTimers.step.nanoseconds <= now.nanoseconds)
        guard wanted[peer]?.tick == tick, let time = wanted.removeValue(forKey: peer)?.time else { continue }
        // One that wants to wait longer than a turn of the wheel is looked at early, and asks again.
        let isEarly = MediaInstant(nanoseconds: tick * PeerTimers.step.nanoseconds) < time
        if isEarly, let tick = timers.add(peer, at: time, now: now) { wanted[peer] = (time, tick) }
      }
      // Nobody who is overdue is left.
      for (time, _) in wanted.values { #expect(time + PeerTimers.step >= now) }
    }
    now = now + .seconds(Int64(20))
    while let (tick, peer) = timers.takeDue(now: now) {
      if wanted[peer]?.tick == tick { wanted[peer] = nil }
    }
    #expect(wanted.isEmpty && timers.next == nil)
  }
}
