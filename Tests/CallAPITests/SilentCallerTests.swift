import ControlWire
import MediaEngine
import Testing

@testable import CallAPI
@testable import Signaling

/// A user of the server's signalling whose callers take what is said to them and never confirm it.
@Suite("Callers who confirm nothing")
struct SilentCallerTests {
  /// The user: the call state machine and the signalling client, on a virtual clock.
  private struct User {
    var machine = CallStateMachine(userID: 1)
    var core = SignalClientCore(timing: .init(), seed: 1) { "0123456789abcdef" }
    var milliseconds: Int64 = 0
    /// Answers all calls by itself.
    var rejectsAll = false
    /// Whom texts have gone to, and how many could not go out.
    var receivers: [UInt] = []
    var refusedCount = 0

    var now: CallInstant {
      CallInstant(monotonic: .zero + .seconds(10) + .milliseconds(milliseconds), wallMilliseconds: milliseconds)
    }

    init(timeout: Int) {
      core.logIn(uid: 1, token: "", completion: -1, now: now.monotonic)
      core.opened()
      core.receive(.loggedIn(LoggedInResponse(uid: 1)), now: now.monotonic)
      flush()
      let configuration = PrepareConfiguration(
        roomID: "R", callTimeoutMilliseconds: timeout, isFirstFrameWaitingDisabled: true)
      step { $0.prepare(configuration, completion: nil, now: $1) }
    }

    mutating func step(_ body: (inout CallStateMachine, CallInstant) -> [CallEffect]) {
      for case .send(let message, let peer, let id, let life) in body(&machine, now) {
        let life = life.map { MediaDuration.milliseconds(Int64($0)) }
        core.send(message.text, to: peer, timeToLive: life, completion: id, now: now.monotonic)
      }
      flush()
      if rejectsAll, machine.state == .calling, let peer = machine.session.peer {
        step { $0.reject(peer, reason: nil, completion: nil, now: $1) }
      }
    }

    mutating func flush() {
      var ended: [(id: Int, error: SignalError?)] = []
      while let effect = core.pollEffect() {
        switch effect {
        case .write(.send(let send)): receivers.append(send.to)
        case .complete(let id, let error) where id > 0: ended.append((id, error))
        default: break
        }
      }
      for (id, error) in ended {
        if case .tooManyPending? = error { refusedCount += 1 }
        step { $0.sendFinished(id, error.map { CallError(code: $0.code, message: "") }, now: $1) }
      }
    }

    /// Lets `count` strangers call for a minute and more, each as often as may be.
    mutating func isCalled(byStrangers count: Int) {
      for number in 0..<7_000 {
        milliseconds += 10
        if let time = core.nextTimeout, time <= now.monotonic {
          core.handleTimeout(now: now.monotonic)
          flush()
        }
        var call = CallMessage(.videoCall, fromUserID: UInt(100 + number % count), callID: "\(number)")
        (call.fromRoomID, call.messageID) = ("M", Int64(number))
        step { $0.receive(call, now: $1) }
      }
    }
  }

  @Test(
    "do not take a user's voice during a call: some are told that it is busy, and its hangup goes out",
    arguments: [1, 2, 7, 40, 300], [15_000, 60_000])
  func hangup(strangers: Int, timeout: Int) {
    var user = User(timeout: timeout)
    user.step { $0.call(2, type: .video, callID: "own", completion: nil, now: $1) }
    user.step { $0.receive(CallMessage(.accept, fromUserID: 2, callID: "own"), now: $1) }
    #expect(user.machine.state == .connected)
    user.isCalled(byStrangers: strangers)
    // Each is worth 5 s, and 15 at most wait.
    #expect((70...240).contains(user.receivers.count { $0 >= 100 }))
    user.step { $0.hangUp(2, reason: nil, completion: nil, now: $1) }
    #expect(user.receivers.last == 2 && user.refusedCount == 0)
  }

  @Test(
    "do not take a user's voice while it rings: its accept goes out", arguments: [1, 2, 7, 40, 300], [15_000, 60_000])
  func accept(strangers: Int, timeout: Int) {
    var user = User(timeout: timeout)
    var call = CallMessage(.videoCall, fromUserID: 2, callID: "friend's")
    (call.fromRoomID, call.messageID) = ("M", 1)
    user.step { $0.receive(call, now: $1) }
    user.isCalled(byStrangers: strangers)
    user.step { $0.accept(2, completion: nil, now: $1) }
    #expect(user.receivers.last == 2 && user.refusedCount == 0)
  }

  @Test(
    "do not take the voice of an application that answers all calls by itself", arguments: [1, 2, 7, 40, 300],
    [15_000, 60_000])
  func answeringApplication(strangers: Int, timeout: Int) {
    var user = User(timeout: timeout)
    user.rejectsAll = true
    user.isCalled(byStrangers: strangers)
    user.rejectsAll = false
    user.step { $0.call(2, type: .video, callID: "own", completion: nil, now: $1) }
    user.step { $0.hangUp(2, reason: nil, completion: nil, now: $1) }
    #expect(user.receivers.suffix(2) == [2, 2] && user.refusedCount == 0)
    #expect(user.receivers.count { $0 >= 100 } >= 48)
  }
}
