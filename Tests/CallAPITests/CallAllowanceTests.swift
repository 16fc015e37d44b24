import ControlWire
import MediaEngine
import Signaling
import Synchronization
import Testing

@testable import CallAPI

@Suite("How many calls of others may have an effect")
struct CallAllowanceTests {
  private static func instant(_ milliseconds: Int64) -> CallInstant {
    CallInstant(monotonic: .zero + .seconds(100) + .milliseconds(milliseconds), wallMilliseconds: 1)
  }

  /// Lets a machine take a call, and confirms what it says of it; counts busy answers.
  private func busyAnswers(_ machine: inout CallStateMachine, to call: CallMessage, _ now: CallInstant) -> Int {
    var count = 0
    for case .send(let message, _, let id, _) in machine.receive(call, now: now) {
      if message.isRejectedByBusyness { count += 1 }
      _ = machine.sendFinished(id, nil, now: now)
    }
    return count
  }

  @Test("a flood of calls is refused at a bounded rate, and its callers do not take it all from others")
  func flood() {
    var machine = CallStateMachine(userID: 1)
    _ = machine.prepare(PrepareConfiguration(roomID: "R"), completion: nil, now: Self.instant(0))
    _ = machine.call(2, type: .video, callID: "own", completion: nil, now: Self.instant(0))
    var (answers, others) = (0, 0)
    for number in 0..<3_000 {
      // Three flooders with 100 calls a second each, and every second somebody else.
      let now = Self.instant(Int64(number * 10 / 3))
      var call = CallMessage(.videoCall, fromUserID: UInt(10 + number % 3), callID: "\(number)")
      call.fromRoomID = "M"
      answers += busyAnswers(&machine, to: call, now)
      guard number % 300 == 0 else { continue }
      call.fromUserID = UInt(100 + number)
      call.callID += "x"
      others += busyAnswers(&machine, to: call, now)
    }
    #expect(others == 10)
    #expect((90...130).contains(answers), "\(answers)")
    #expect(machine.state == .calling)
  }

  @Test("a crowd of callers is refused 20 times at once, and 20 times a second; 10 ring at once, and 20 in 3 s")
  func crowd() {
    var (refusals, ringing) = (CallAllowance.refusals, CallAllowance.ringing)
    var (refused, rang) = (0, 0)
    for number in 0..<10_000 {
      let now = Self.instant(Int64(number / 5)).monotonic
      if refusals.take(UInt(number), now: now) { refused += 1 }
      if ringing.take(UInt(number), now: now) { rang += 1 }
    }
    #expect((58...61).contains(refused), "\(refused)")
    #expect((22...24).contains(rang), "\(rang)")
  }

  /// What an application does by itself with a call that rings.
  enum Manner: CaseIterable {
    case accepts, acceptsAndHangsUp, rejects
  }

  /// Counts what reaches the server.
  private final class Counter: CallReporting {
    private let taken = Mutex(0)
    var count: Int { taken.withLock { $0 } }
    func report(_ report: ReportRequest, completion: @escaping @Sendable (SignalError?) -> Void) {
      taken.withLock { $0 += 1 }
    }
  }

  /// 50 calls a second of each caller are what a server lets through; it puts off who sends more than 50 messages a second
  /// after 200 in a row.
  @Test(
    "who answers all calls by itself never sends more than a server takes, however many call",
    arguments: [1, 2, 5, 40], Manner.allCases)
  func automaticApplication(callers: Int, manner: Manner) {
    let (counter, start) = (Counter(), Self.instant(0))
    let reporter = ServerCallReporter(counter)
    var machine = CallStateMachine(userID: 1)
    machine.isReporting = true
    // Connected with the accept: the most that a call can lead to.
    let configuration = PrepareConfiguration(roomID: "R", isFirstFrameWaitingDisabled: true)
    _ = machine.prepare(configuration, completion: nil, now: start)
    var (sent, rang, allowance, least) = (0, 0, 200.0, 200.0)
    func carryOut(_ effects: [CallEffect]) {
      for effect in effects {
        if case .send(_, _, let id, _) = effect {
          sent += 1
          carryOut(machine.sendFinished(id, nil, now: start))
        }
        if case .report(let report) = effect { reporter.report(report) }
        if case .notify(.state(.calling, _, _, _)) = effect { rang += 1 }
      }
    }
    for number in 0..<20 * 50 * callers {
      let now = Self.instant(Int64(number * 20 / callers))
      let caller = UInt(10 + number % callers)
      var call = CallMessage(.videoCall, fromUserID: caller, callID: "\(number)")
      (call.fromRoomID, call.messageID) = ("M", Int64(number))
      let before = sent + counter.count
      carryOut(machine.receive(call, now: now))
      if machine.state == .calling {
        switch manner {
        case .rejects: carryOut(machine.reject(caller, reason: nil, completion: nil, now: now))
        case .accepts: carryOut(machine.accept(caller, completion: nil, now: now))
        case .acceptsAndHangsUp:
          carryOut(machine.accept(caller, completion: nil, now: now))
          carryOut(machine.hangUp(caller, reason: nil, completion: nil, now: now))
        }
      }
      allowance = min(200, allowance + 1 / Double(callers)) - Double(sent + counter.count - before)
      least = min(least, allowance)
    }
    #expect(least >= 0, "\(sent) messages and \(counter.count) reports")
    // Some are still answered.
    #expect(rang >= 20 * 3)
  }
}
