import MediaBase
import MediaEngine
import Testing

@testable import CallAPI

/// What is asked for at a moment at which it makes no sense, or of somebody else: at every moment of a call, from seeds.
@Suite("Requests in the middle of calls, from seeds")
struct CallGuardRaceTests {
  private static let seeds = CallBench.raceSeeds
  private static let all: Set<CallState> = [.calling, .connecting, .connected]

  @Test("prepareForCall during a call is an error and nothing else: the call goes on, and keeps its configuration")
  func preparing() {
    var met: Set<CallState> = []
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed)
      met.insert(bench.callUntil(.random(in: 0...500, using: &random)))
      let uid: UInt = .random(using: &random) ? 1 : 2
      guard Self.all.contains(bench.state(uid)) else { continue }
      let before = bench.log(uid).count
      bench.prepare(uid, timeout: 1, room: "elsewhere")
      #expect(Array(bench.log(uid)[before...]) == ["done prepare: currently busy"], "seed \(seed)")
      bench.connectRace()
      #expect(bench[1].machine.room == "R1", "seed \(seed)")
      bench.endRace(seed, connected: true)
      // The next call, too, is that of the configuration from before.
      bench.call(uid, 3 - uid)
      #expect(bench[uid].machine.room == "R\(uid)", "seed \(seed)")
    }
    #expect(met == Self.all)
  }

  @Test("cancel without a call, and accept, reject and hangup of somebody else, leave the call of others alone")
  func guards() {
    var met: Set<CallState> = []
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed, users: 3)
      met.insert(bench.callUntil(.random(in: 0...500, using: &random)))
      let uid: UInt = .random(using: &random) ? 1 : 2
      let stranger: UInt = [0, 3, 77].randomElement(using: &random) ?? 3
      let (state, count) = (bench.state(uid), bench.states(uid).count)
      bench.reject(uid, stranger)
      bench.hangUp(uid, stranger)
      bench.accept(uid, stranger)
      // Nobody's call to give up.
      bench.cancel(3)
      #expect(bench.state(uid) == state && bench.states(uid).count == count, "seed \(seed)")
      bench.run(milliseconds: .random(in: 0...200, using: &random))
      #expect(bench.states(3).isEmpty && bench.state(3) == .prepared, "seed \(seed)")
      #expect(bench.log(3).contains("done cancel: cancelCall fail! callingUserId is empty"), "seed \(seed)")
      bench.connectRace()
      bench.endRace(seed, connected: true)
    }
    #expect(met == Self.all)
  }

  @Test(
    "a caller who is told busy gets its own call's id back and cannot end the call that is under way with what it knows"
  )
  func busy() {
    var met: Set<CallState> = []
    for seed in Self.seeds {
      var (bench, random) = CallBench.race(seed, users: 3)
      met.insert(bench.callUntil(.random(in: 0...500, using: &random)))
      let uid: UInt = .random(using: &random) ? 1 : 2
      guard Self.all.contains(bench.state(uid)) else { continue }
      let count = bench.told(uid).count
      bench.call(3, uid)
      let callID = bench[3].machine.callID
      while bench.state(3) == .calling { bench.run(milliseconds: 1) }
      #expect(bench.states(3).last == "S(1,17)", "seed \(seed)")
      #expect(bench[3].infos.last?[CallInfoKey.callID] == .string(callID), "seed \(seed)")
      // Whatever the stranger sends with that id, or with none.
      for action in [CallAction.cancelCall, .accept, .reject, .hangup] {
        for id in [callID, ""] {
          var message = CallMessage(action, fromUserID: 3, callID: id)
          message.messageID = 9
          bench.schedule(.message(message, to: uid), in: 0...80)
        }
      }
      bench.connectRace()
      #expect(!bench.told(uid).dropFirst(count).contains { $0.hasPrefix("S(1,") }, "seed \(seed)")
      bench.endRace(seed, connected: true)
    }
    #expect(met == Self.all)
  }

  /// How a connected call can end.
  enum End: CaseIterable {
    case hangUp, cancel, reject, deinitialize, recall, serversHangUp, timersCancel, removal
  }

  @Test(
    "however a connected call ends, both sides are told disconnected once, before the state", arguments: End.allCases)
  func disconnected(_ way: End) {
    for seed in Self.seeds.prefix(100) {
      var (bench, random) = CallBench.race(seed)
      for uid in [UInt(1), 2] { bench.prepare(uid, absence: 3_000) }
      _ = bench.callUntil(500)
      #expect(bench.state(1) == .connected && bench.state(2) == .connected, "seed \(seed)")
      bench.run(milliseconds: .random(in: 0...100, using: &random))
      bench.clear()
      let ender: UInt = .random(using: &random) ? 1 : 2
      end(&bench, by: ender, way)
      bench.run(milliseconds: 8_000)
      for uid in [UInt(1), 2] where way != .recall || uid != ender {
        let log = bench.log(uid)
        let (told, state) = (log.firstIndex { $0.hasPrefix("CD") }, log.firstIndex { $0.hasPrefix("S(") })
        #expect(log.count { $0.hasPrefix("CD") } == 1, "seed \(seed), \(uid): \(log)")
        #expect((told ?? .max) < (state ?? 0), "seed \(seed), \(uid): \(log)")
      }
      #expect(bench.violations == [], "seed \(seed): \(bench.violations)")
    }
  }

  private func end(_ bench: inout CallBench, by ender: UInt, _ way: End) {
    let other = 3 - ender
    switch way {
    case .hangUp: bench.hangUp(ender, other)
    case .cancel: bench.cancel(ender)
    case .reject: bench.reject(ender, other)
    case .deinitialize: bench.deinitialize(ender)
    case .recall:
      bench.dropFromChannel(ender)
      bench[ender].machine = CallStateMachine(userID: ender)
      bench[ender].watch = CallWatch(uid: ender)
      bench.prepare(ender, room: "anew")
      bench.call(ender, other)
    case .serversHangUp:
      for uid in [ender, other] {
        bench.schedule(.message(CallMessage(.hangup, fromUserID: 3 - uid, callID: "its own"), to: uid), in: 0...80)
      }
    case .timersCancel:
      // A caller who never saw the accept.
      var cancel = CallMessage(.cancelCall, fromUserID: ender, callID: bench[ender].machine.callID)
      cancel.isCancelledByTimer = true
      cancel.messageID = 9
      bench.schedule(.message(cancel, to: other), in: 0...80)
    case .removal: bench.happens(ender, .failed(code: 123, message: nil))
    }
  }
}
