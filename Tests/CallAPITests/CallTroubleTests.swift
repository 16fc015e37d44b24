import MediaEngine
import Testing

@testable import CallAPI

@Suite("What can go wrong with calls")
struct CallTroubleTests {
  @Test("a busy user rejects by itself and notices nothing")
  func busy() {
    var bench = CallBench.connected(users: 3)
    bench.call(3, 2)
    bench.run(milliseconds: 100)
    #expect(bench.told(2) == [])
    #expect(bench.log(2) == ["M>reject busy 3"])
    #expect(bench.states(3) == ["S(2,30)", "S(1,17)"])
    #expect(bench.log(3).contains("E117"))
    #expect(bench[3].infos.last?["rejectReason"] == .string(CallMessage.busyReason))
    #expect(bench.state(1) == .connected && bench.state(2) == .connected)
    #expect(bench.violations == [])
  }

  @Test("in a wrong state, requests fail with a reason and change nothing")
  func wrongState() {
    var bench = CallBench()
    bench.call(1, 2)
    bench.accept(1, 2)
    #expect(
      bench.log(1) == [
        "done call: call fail! config or roomId is empty",
        "done accept: accept fail! current userId or roomId is empty",
      ])
    bench = .connected()
    bench.call(1, 2)
    bench.accept(2, 1)
    bench.prepare(1)
    #expect(bench.log(1) == ["done call: call fail! state busy or not initialized", "done prepare: currently busy"])
    #expect(bench.log(2) == ["done accept: accept fail! current state[4] is not calling", "E9"])
    #expect(bench.state(1) == .connected && bench.state(2) == .connected)
    bench = .prepared()
    bench.call(1, 1)
    bench.call(1, 0)
    #expect(bench.log(1).count == 2 && bench.state(1) == .prepared)
    #expect(bench.violations == [])
  }

  @Test("accepting twice, or too late, tells nobody")
  func acceptingTwiceAndTooLate() {
    var bench = CallBench.prepared()
    bench.call(1, 2)
    bench.run(milliseconds: 20)
    bench.accept(2, 1)
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.log(2) == ["done accept: accept fail! current state[3] is not calling", "E9"])
    bench.cancel(1)
    bench.run(milliseconds: 50)
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.log(2) == ["done accept: accept fail! current userId or roomId is empty"])
    #expect(bench.violations == [])
  }

  @Test("accepting or rejecting somebody else than who calls leaves the call alone")
  func wrongUser() {
    var bench = CallBench.prepared(users: 3)
    bench.call(1, 2)
    bench.run(milliseconds: 50)
    bench.clear()
    bench.accept(2, 3)
    bench.reject(2, 3)
    bench.hangUp(2, 3)
    bench.run(milliseconds: 50)
    #expect(bench.states(1) == [] && bench.states(2) == [] && bench.states(3) == [])
    #expect(bench.state(2) == .calling)
    #expect(bench.violations == [])
  }

  @Test("who is rejected or hung up on without being in the call does not learn its id")
  func strangersLearnNothing() {
    var bench = CallBench.prepared(users: 3)
    bench.call(1, 2)
    bench.run(milliseconds: 50)
    let now = bench.now
    let effects =
      bench[2].machine.reject(3, reason: nil, completion: nil, now: now)
      + bench[1].machine.hangUp(3, reason: nil, completion: nil, now: now)
    let ids = effects.compactMap { if case .send(let message, to: 3, _, _) = $0 { message.callID } else { nil } }
    #expect(ids == ["", ""])
  }

  @Test("a cancel that crosses the accept, and hangups that cross, leave both sides prepared")
  func crossing() {
    var bench = CallBench.prepared()
    bench.call(1, 2)
    bench.run(milliseconds: 20)
    bench.cancel(1)
    bench.accept(2, 1)
    bench.run(milliseconds: 100)
    #expect(bench.states(1).last == "S(1,11)" && bench.states(2).suffix(2) == ["S(3,8)", "S(1,12)"])
    #expect(bench.members.isEmpty && bench.violations == [])

    bench = .connected()
    bench.hangUp(1, 2)
    bench.hangUp(2, 1)
    bench.run(milliseconds: 100)
    #expect(bench.states(1) == ["S(1,9)"] && bench.states(2) == ["S(1,9)"])
    #expect(bench.members.isEmpty && bench.violations == [])
  }

  @Test("answers to an earlier call do not count")
  func staleAnswers() {
    for action in [CallAction.accept, .reject, .cancelCall, .hangup] {
      var bench = CallBench.connected()
      var message = CallMessage(action, fromUserID: 2, callID: "earlier")
      message.messageID = 7
      let stale = message
      bench.step(1) { $0.receive(stale, now: $1) }
      #expect(bench.log(1) == [])
    }
  }

  @Test(
    "a hangup of a server, which has no number, ends the call under any id; one without an id is for the present call")
  func serverHangup() {
    for (id, number) in [("a server's", Int64?.none), ("", nil), ("", 7)] {
      var bench = CallBench.connected()
      var message = CallMessage(.hangup, fromUserID: 2, callID: id)
      message.messageID = number
      let hangup = message
      bench.step(1) { $0.receive(hangup, now: $1) }
      #expect(bench.states(1) == ["S(1,10)"])
    }
  }

  @Test("a hangup of a server that names an earlier call of the two leaves the present one alone, who ever made that")
  func serverHangupOfAnEarlierCall() {
    for earlierCaller in [UInt(1), 2] {
      var bench = CallBench.prepared()
      bench.call(earlierCaller, 3 - earlierCaller)
      bench.run(milliseconds: 50)
      bench.cancel(earlierCaller)
      bench.run(milliseconds: 50)
      bench.call(2, 1)
      bench.run(milliseconds: 50)
      bench.clear()
      let hangup = CallMessage(.hangup, fromUserID: 2, callID: "call-1")
      bench.step(1) { $0.receive(hangup, now: $1) }
      #expect(bench.log(1) == [] && bench.state(1) == .calling)
      bench.accept(1, 2)
      bench.run(milliseconds: 100)
      bench.clear()
      for uid in [UInt(1), 2] {
        let hangup = CallMessage(.hangup, fromUserID: 3 - uid, callID: "call-1")
        bench.step(uid) { $0.receive(hangup, now: $1) }
        #expect(bench.log(uid) == [] && bench.state(uid) == .connected)
      }
    }
  }

  @Test("nobody but the other side can answer")
  func strangers() {
    var bench = CallBench.connected()
    let callID = bench[1].machine.callID
    for action in [CallAction.accept, .reject, .cancelCall, .hangup] {
      bench.step(1) { $0.receive(CallMessage(action, fromUserID: 3, callID: callID), now: $1) }
    }
    #expect(bench.log(1) == [])
  }

  @Test("however many strangers call and give up, a call that was had does not ring again when it comes late")
  func strangersPushNothingOut() throws {
    for isTaken in [true, false] {
      var bench = CallBench.prepared(users: 3)
      bench.call(1, 2)
      bench.run(milliseconds: 100)
      bench.accept(2, 1)
      bench.run(milliseconds: 400)
      var call = CallMessage(.videoCall, fromUserID: 1, callID: bench[2].machine.callID)
      call.fromRoomID = bench[2].machine.room
      let late = call
      if !isTaken { bench.hangUp(1, 2); bench.run(milliseconds: 100) }
      for number in 0..<40 {
        let stranger = UInt(100 + number)
        for action in [CallAction.cancelCall, .hangup] {
          bench.step(2) { $0.receive(CallMessage(action, fromUserID: stranger, callID: "ahead \(number)"), now: $1) }
        }
        // While there is a call, it is refused as busy.
        guard isTaken else { continue }
        var other = CallMessage(.videoCall, fromUserID: stranger, callID: "busy \(number)")
        other.fromRoomID = "elsewhere"
        let refused = other
        bench.step(2) { $0.receive(refused, now: $1) }
      }
      if isTaken { bench.hangUp(1, 2); bench.run(milliseconds: 100) }
      bench.clear()
      bench.step(2) { $0.receive(late, now: $1) }
      #expect(bench.log(2) == [] && bench.state(2) == .prepared)
    }
  }

  @Test("however often strangers' calls ring and calls cross the own one, a call that is over does not ring again")
  func ringingPushesNothingOut() {
    var bench = CallBench.prepared(users: 3)
    func call(_ id: String, from uid: UInt) -> CallMessage {
      var call = CallMessage(.videoCall, fromUserID: uid, callID: id)
      call.messageID = 1
      call.fromRoomID = "elsewhere"
      return call
    }
    let late = call("late", from: 3)
    bench.step(2) { $0.receive(late, now: $1) }
    bench.step(2) { $0.receive(CallMessage(.cancelCall, fromUserID: 3, callID: "late"), now: $1) }
    // As many as may ring, for as long as a text may be on its way.
    for number in 0..<100 {
      let stranger = UInt(100 + number % 7)
      let next = call("other \(number)", from: stranger)
      bench.step(2) { $0.receive(next, now: $1) }
      bench.step(2) { $0.receive(CallMessage(.cancelCall, fromUserID: stranger, callID: next.callID), now: $1) }
      bench.run(milliseconds: 150)
    }
    #expect(bench.states(2).count { $0 == "S(2,32)" } > 50)
    bench.call(2, 9)
    for number in 0..<300 {
      let crossing = call("crossing \(number)", from: 9)
      bench.step(2) { $0.receive(crossing, now: $1) }
    }
    bench.cancel(2)
    bench.clear()
    bench.step(2) { $0.receive(late, now: $1) }
    #expect(bench.log(2) == [] && bench.state(2) == .prepared)
    // The first that crossed the own call is remembered as well.
    let crossing = call("crossing 0", from: 9)
    bench.step(2) { $0.receive(crossing, now: $1) }
    #expect(bench.log(2) == [])
  }

  @Test("nobody can give up a call of somebody else before it comes")
  func strangersGiveNothingUp() {
    var bench = CallBench.prepared(users: 3)
    bench.step(2) { $0.receive(CallMessage(.cancelCall, fromUserID: 3, callID: "call-1"), now: $1) }
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    #expect(bench[2].machine.callID == "call-1" && bench.states(2) == ["S(2,32)"])
    bench.hangUp(1, 2)
    bench.run(milliseconds: 100)
    // Its caller can.
    bench.step(2) { $0.receive(CallMessage(.cancelCall, fromUserID: 1, callID: "call-2"), now: $1) }
    bench.clear()
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    #expect(bench.states(2) == [])
  }

  @Test("a message that cannot be sent is told, and the call goes on until it is given up")
  func sendFailure() {
    var bench = CallBench.prepared()
    bench.conditions.failure = 100
    bench.call(1, 2)
    bench.run(milliseconds: 20)
    #expect(
      bench.told(1).dropFirst(3) == [
        "done call: User 2 is not there.", "error 210 110 1404 call fail: User 2 is not there.", "E5", "E111",
      ])
    #expect(bench.state(1) == .calling)
    bench.cancel(1)
    #expect(bench.states(1) == ["S(2,30)", "S(1,11)"])
    #expect(bench.violations == [])
  }

  @Test("what becomes of a call's message is no news for a later call")
  func lateSendResult() {
    var bench = CallBench.prepared(users: 3)
    bench.call(1, 2)
    bench.cancel(1)
    bench.run(milliseconds: 5)
    bench.clear()
    bench.call(1, 3)
    bench.run(milliseconds: 6)
    #expect(bench.told(1) == ["S(2,30)", "E140", "E10", "done call", "done cancel"])
    bench.run(milliseconds: 5)
    #expect(bench.log(1).count { $0 == "E99" } == 1)
  }

  @Test("a channel that cannot be joined is told; the call ends by itself when its time is over")
  func joinFailure() {
    var bench = CallBench.prepared()
    bench.prepare(1, timeout: 1_000)
    bench.clear()
    bench.conditions.joinFailure = 100
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    #expect(bench.told(1).last == "error 100 100 2 no" && bench.told(2).last == "error 100 100 2 no")
    bench.accept(2, 1)
    bench.run(milliseconds: 1_000)
    #expect(bench.states(1) == ["S(2,30)", "S(3,7)", "S(1,14)"])
    #expect(bench.states(2) == ["S(2,32)", "S(3,8)", "S(1,18)"])
    #expect(bench.violations == [])
  }

  @Test("a camera that fails is told in a video call, and the call goes on")
  func cameraFailure() {
    for type in [CallType.video, .audio] {
      var bench = CallBench.prepared()
      bench.call(1, 2, type)
      bench.run(milliseconds: 100)
      bench.clear()
      bench.happens(1, .captureFailed(code: 1_003, message: "gone"))
      #expect(bench.log(1) == (type == .video ? ["error 110 100 1003 gone"] : []))
      #expect(bench.state(1) == .calling)
    }
  }

  @Test("when the other side's connection to the channel ends it is told with the reason; the call stays")
  func peerLeavesChannel() {
    var bench = CallBench.connected()
    bench.dropFromChannel(2)
    bench.run(milliseconds: 50)
    #expect(bench.log(1) == ["E108 1"])
    #expect(bench.state(1) == .connected)
    #expect(bench.violations == [])
  }

  @Test("a third user in the channel is nobody's business")
  func thirdUser() {
    var bench = CallBench.connected()
    bench.happens(1, .userJoined(3))
    bench.happens(1, .userLeft(3, reason: 0))
    bench.happens(1, .remoteVideo(3))
    #expect(bench.log(1) == [])
  }
}
