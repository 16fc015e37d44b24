import MediaBase
import MediaEngine
import Testing

@testable import CallAPI

/// Races, each replayed with delays drawn from seeds: whatever comes first, the outcome is the one that people expect.
@Suite("Races of calls, from seeds")
struct CallRaceTests {
  private static let seeds = CallBench.raceSeeds

  @Test("glare: both call each other within a round trip, and one call comes of it")
  func glare() {
    var crossings = 0
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed)
      let first: UInt = .random(using: &random) ? 1 : 2
      bench.call(first, 3 - first)
      bench.run(milliseconds: .random(in: 0...60, using: &random))
      bench.call(3 - first, first)
      bench.run(milliseconds: 200)
      let isGlare = bench.log(1).contains("S(2,30)") && bench.log(2).contains("S(2,30)")
      if isGlare {
        crossings += 1
        // No dead wait, and in the room of the smaller uid.
        #expect(bench[1].machine.room == "R1" && bench[2].machine.room == "R1", "seed \(seed)")
        #expect(bench.log(1).count { $0.hasPrefix("CC") } <= 1, "seed \(seed)")
      } else {
        bench.accept(3 - first, first)
      }
      bench.endRace(seed, connected: true)
    }
    #expect(crossings > 100)
  }

  @Test("recall: a caller whose program has begun anew calls from a new room, and is heard there")
  func recall() {
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed)
      bench.call(1, 2)
      bench.run(milliseconds: .random(in: 81...300, using: &random))
      // A new program knows nothing of the old call, and its connection to the old channel is gone.
      bench.dropFromChannel(1)
      bench[1].machine = CallStateMachine(userID: 1)
      bench[1].watch = CallWatch(uid: 1)
      bench.prepare(1, room: "anew")
      bench.clear()
      bench.call(1, 2)
      bench.run(milliseconds: 100)
      let states = bench.states(2)
      #expect(states == ["S(1,15)", "S(2,32)"], "seed \(seed): \(states)")
      #expect(bench.log(2).filter { $0.hasPrefix("leave") || $0.hasPrefix("join") } == ["leave R1", "join anew video"])
      #expect(bench[2].infos.last?["fromRoomId"] == "anew", "seed \(seed)")
      bench.accept(2, 1)
      bench.endRace(seed, connected: true)
    }
  }

  @Test(
    "stale messages: what belongs to a call that is over does not end or accept the next one",
    arguments: [
      CallAction.cancelCall, .reject, .accept, .hangup,
    ])
  func stale(_ action: CallAction) {
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed)
      bench.call(1, 2)
      bench.run(milliseconds: 100)
      var message = CallMessage(action, fromUserID: 1, callID: bench[1].machine.callID)
      message.messageID = 2
      let (receiver, late): (UInt, CallMessage) =
        switch action {
        case .cancelCall, .hangup: (2, message)
        default:
          (
            1,
            {
              var other = message; other.fromUserID = 2; return other
            }()
          )
        }
      bench.cancel(1)
      bench.run(milliseconds: 200)
      bench.call(1, 2)
      bench.schedule(.message(late, to: receiver), in: 0...150)
      bench.run(milliseconds: .random(in: 81...100, using: &random))
      bench.accept(2, 1)
      bench.endRace(seed, connected: true)
    }
  }

  @Test(
    "rejecting, hanging up or ending everything at once when it rings leaves nobody in the channel", arguments: 0..<3)
  func atOnce(_ way: Int) {
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed)
      bench.call(1, 2)
      while bench.state(2) != .calling { bench.run(milliseconds: 1) }
      bench.run(milliseconds: .random(in: 0...2, using: &random))
      switch way {
      case 0: bench.reject(2, 1)
      case 1: bench.hangUp(2, 1)
      default:
        bench.deinitialize(2)
        bench.prepare(2)
      }
      let ended = bench.log(2).lastIndex { $0.hasPrefix("S(1,") || $0.hasPrefix("S(0,") } ?? 0
      bench.run(milliseconds: 500)
      #expect(!bench.log(2)[ended...].contains { $0.hasPrefix("join") || $0 == "E142" }, "seed \(seed)")
      bench.endRace(seed, connected: false)
    }
  }

  @Test("cancel and accept, hangup and hangup, two timers at once: both sides end in prepared")
  func crossings() {
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed)
      bench.call(1, 2)
      bench.run(milliseconds: 90)
      let pause = Int64.random(in: 0...80, using: &random)
      if .random(using: &random) {
        bench.accept(2, 1)
        bench.run(milliseconds: pause)
        bench.cancel(1)
      } else {
        bench.cancel(1)
        bench.run(milliseconds: pause)
        bench.accept(2, 1)
      }
      bench.endRace(seed, connected: false)

      (bench, random) = CallBench.race(seed)
      bench.call(1, 2)
      bench.run(milliseconds: 90)
      bench.accept(2, 1)
      bench.run(milliseconds: 400)
      bench.hangUp(1, 2)
      bench.run(milliseconds: pause)
      bench.hangUp(2, 1)
      bench.endRace(seed, connected: false)

      (bench, random) = CallBench.race(seed)
      for uid in [UInt(1), 2] { bench.prepare(uid, timeout: .random(in: 200...260, using: &random)) }
      bench.call(1, 2)
      bench.run(milliseconds: 500)
      bench.endRace(seed, connected: false)
    }
  }

  @Test("late news of the channel of an earlier call do not connect the next one")
  func lateNews() {
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed)
      bench.conditions.channelDelay = 1...400
      bench.conditions.frameDelay = 1...400
      bench.call(1, 2)
      bench.run(milliseconds: .random(in: 100...300, using: &random))
      bench.accept(2, 1)
      bench.run(milliseconds: .random(in: 0...200, using: &random))
      bench.hangUp(1, 2)
      bench.run(milliseconds: .random(in: 0...5, using: &random))
      // Again in the same room; no frame comes in it any more.
      bench.conditions.frameLoss = 100
      bench.call(1, 2)
      bench.run(milliseconds: 100)
      bench.accept(2, 1)
      bench.run(milliseconds: 1_000)
      #expect(bench.state(1) != .connected && bench.state(2) != .connected, "seed \(seed)")
      #expect(bench.violations == [], "seed \(seed)")
    }
  }

  @Test("both sides called by a server: neither is connected before both have accepted, in any order")
  func bothCallees() {
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed)
      for uid in [UInt(1), 2] {
        var call = CallMessage(.videoCall, fromUserID: 3 - uid, callID: "match")
        call.fromRoomID = "M"
        bench.schedule(.message(call, to: uid), in: 0...80)
      }
      bench.run(milliseconds: 100)
      let first: UInt = .random(using: &random) ? 1 : 2
      bench.accept(first, 3 - first)
      bench.run(milliseconds: .random(in: 0...400, using: &random))
      #expect(bench.state(1) != .connected && bench.state(2) != .connected, "seed \(seed)")
      bench.accept(3 - first, first)
      bench.endRace(seed, connected: true)
    }
  }
}
