import MediaBase
import Testing

@testable import CallAPI

/// Races, each replayed with delays drawn from a seed.
extension CallBench {
  static let raceSeeds = Array(UInt64(1)...300)

  /// A bench with delays drawn from its seed, and who waits how long before it acts.
  static func race(_ seed: UInt64, users: Int = 2) -> (CallBench, SeededRandom) {
    var random = SeededRandom(seed: seed)
    var bench = CallBench.prepared(users: users, seed: random.next())
    bench.conditions.messageDelay = 1...Int64.random(in: 1...80, using: &random)
    bench.conditions.channelDelay = 1...Int64.random(in: 1...80, using: &random)
    bench.conditions.frameDelay = 1...Int64.random(in: 1...80, using: &random)
    return (bench, random)
  }

  /// Checks the end of a race between users 1 and 2, and that nobody is left anywhere once both have hung up.
  mutating func endRace(_ seed: UInt64, connected: Bool) {
    run(milliseconds: 1_000)
    let states = [state(1), state(2)]
    #expect(states == (connected ? [.connected, .connected] : [.prepared, .prepared]), "seed \(seed)")
    if connected {
      #expect(self[1].machine.room == self[2].machine.room, "seed \(seed)")
      #expect(self[1].machine.callID == self[2].machine.callID, "seed \(seed)")
      hangUp(1, 2)
      run(milliseconds: 1_000)
    }
    #expect(members.isEmpty && violations == [], "seed \(seed): \(violations)")
    for party in parties {
      let log = party.log
      #expect(log.count { $0.hasPrefix("CC") } == log.count { $0.hasPrefix("CD") }, "seed \(seed): \(log)")
    }
  }

  /// 1 calls 2, which accepts, if there is time for it: after so many milliseconds in all, at most 600. Returns how far it has
  /// come.
  mutating func callUntil(_ milliseconds: Int64) -> CallState {
    call(1, 2)
    let ringing = min(milliseconds, 200)
    run(milliseconds: ringing)
    if milliseconds > ringing, state(2) == .calling { accept(2, 1) }
    run(milliseconds: milliseconds - ringing)
    return state(1)
  }

  /// Goes on where `callUntil` has stopped.
  mutating func connectRace() {
    run(milliseconds: 200)
    if state(2) == .calling { accept(2, 1) }
    run(milliseconds: 400)
  }
}
