import MediaEngine
import Testing

@testable import CallAPI

@Suite("How calls come about")
struct CallStoryTests {
  @Test("preparing leads to prepared, and again to prepared when done again")
  func preparing() {
    var bench = CallBench()
    bench.prepare(1)
    bench.prepare(1)
    #expect(bench.log(1) == ["timer off", "S(1,0)", "done prepare", "S(1,0)", "done prepare"])
    #expect(bench.violations == [])
  }

  @Test("a video call is told in order: calling, accepted, first picture, connected")
  func videoCall() {
    var bench = CallBench.prepared()
    bench.call(1, 2)
    #expect(bench.log(1) == ["M>call 2", "timer 15000", "S(2,30)", "E140", "join R1 video publishing", "E10"])
    bench.run(milliseconds: 10)
    #expect(bench.log(1).suffix(2) == ["done call", "E99"])
    #expect(bench.log(2) == ["timer 15000", "S(2,32)", "E142", "join R1 video", "E10"])
    bench.run(milliseconds: 25)
    #expect(bench.log(1).suffix(3) == ["E5", "E111", "E107"])
    #expect(bench.log(2).suffix(3) == ["E5", "E111", "E107"])
    bench.clear()

    // The caller's picture comes while it rings; it is not shown yet.
    bench.run(milliseconds: 60)
    #expect(bench.log(1) == [])
    #expect(bench.log(2) == ["E113"])
    bench.clear()

    bench.accept(2, 1)
    bench.run(milliseconds: 100)
    #expect(
      bench.log(2) == [
        "M>accept 1", "publish R1 video", "S(3,8)", "E104", "CC 1", "timer off", "reveal R1 1", "S(4,8)", "done accept",
      ])
    #expect(bench.log(1) == ["S(3,7)", "E103", "E113", "CC 1", "timer off", "reveal R1 2", "S(4,13)"])
    #expect(bench.violations == [])
  }

  @Test("the details of connected name the room, both users and what the steps took")
  func connectedDetails() {
    var bench = CallBench.prepared()
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    bench.accept(2, 1)
    bench.run(milliseconds: 100)
    let info = bench[1].infos.last
    #expect(info?["fromRoomId"] == "R1")
    #expect(info?["fromUserId"] == 2)
    #expect(info?["remoteUserId"] == 1)
    #expect(
      info?["costTimeMap"]
        == .object([
          "remoteUserRecvCall": 10, "localUserJoinChannel": 20, "remoteUserJoinChannel": 30, "acceptCall": 110,
          "recvFirstFrame": 130,
        ]))
  }

  @Test("an audio call has no picture: the first sound connects it")
  func audioCall() {
    var bench = CallBench.prepared()
    bench.call(1, 2, .audio)
    bench.run(milliseconds: 100)
    bench.accept(2, 1)
    bench.run(milliseconds: 100)
    #expect(bench.states(1) == ["S(2,31)", "S(3,7)", "S(4,13)"])
    #expect(bench.states(2) == ["S(2,33)", "S(3,8)", "S(4,8)"])
    #expect(bench.log(1).contains("E141") && bench.log(2).contains("E143"))
    #expect(bench.log(1).contains("join R1 audio publishing"))
    #expect(bench.log(2).contains("join R1 audio") && bench.log(2).contains("publish R1 audio"))
    #expect(bench.violations == [])
  }

  @Test("pictures do not connect an audio call, nor sounds a video call, nor anything of a third user")
  func whatDoesNotConnect() {
    for (type, wrong) in [
      (CallType.audio, CallStateMachine.ChannelEvent.remoteVideo(2)), (.video, .remoteAudio(2)),
      (.audio, .remoteAudio(3)), (.video, .remoteVideo(3)),
    ] {
      var bench = CallBench.prepared()
      bench.conditions.frameLoss = 100
      bench.call(1, 2, type)
      bench.run(milliseconds: 100)
      bench.accept(2, 1)
      bench.run(milliseconds: 100)
      bench.clear()
      bench.happens(1, wrong)
      #expect(bench.log(1) == [])
      #expect(bench.state(1) == .connecting)
      #expect(bench.violations == [])
    }
  }

  @Test("a callee who must not join while it rings joins when it accepts")
  func joiningOnAccept() {
    var bench = CallBench.prepared()
    bench[2].joinsOnCalling = false
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    #expect(bench.log(2) == ["timer 15000", "S(2,32)", "E142"])
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.log(2) == ["M>accept 1", "join R1 video publishing", "E10", "S(3,8)", "E104"])
    bench.run(milliseconds: 100)
    #expect(bench.states(1) == ["S(3,7)", "S(4,13)"])
    #expect(bench.states(2) == ["S(3,8)", "S(4,13)"])
    #expect(bench.violations == [])
  }

  @Test("without waiting for the first picture, accepting connects")
  func noWaiting() {
    var bench = CallBench.prepared(isFirstFrameWaitingDisabled: true)
    bench.call(1, 2)
    bench.run(milliseconds: 10)
    bench.accept(2, 1)
    bench.run(milliseconds: 10)
    #expect(bench.states(1) == ["S(2,30)", "S(3,7)", "S(4,7)"])
    #expect(bench.states(2) == ["S(2,32)", "S(3,8)", "S(4,8)"])
    #expect(bench.violations == [])
  }

  @Test("what users say about themselves reaches the other side; what is said with the call wins")
  func extensions() {
    var bench = CallBench()
    bench.prepare(1, userExtension: ["a": 1, "b": 1])
    bench.prepare(2, userExtension: ["name": "two"])
    bench.call(1, 2, callExtension: ["b": 2, "c": 3])
    bench.run(milliseconds: 50)
    let call = bench[2].infos.last
    #expect(call?["fromUserExtension"] == .object(["a": 1, "b": 2, "c": 3]))
    #expect(call?["fromUserId"] == 1 && call?["remoteUserId"] == 2 && call?["fromRoomId"] == "R1")
    bench.accept(2, 1)
    bench.run(milliseconds: 10)
    #expect(bench[1].infos.last?["fromUserExtension"] == .object(["name": "two"]))
  }

  @Test("a new token goes to the channel of the call under way, and to later ones")
  func tokens() {
    var bench = CallBench.connected()
    bench.step(1) { machine, now in machine.renewToken("new", now: now) }
    #expect(bench.log(1) == ["token R1 new"])
    bench.hangUp(1, 2)
    bench.run(milliseconds: 100)
    var token: String?
    bench.step(1) { machine, now in
      let effects = machine.call(2, type: .video, callID: "again", completion: nil, now: now)
      for case .join(_, let renewed, _, _, _) in effects { token = renewed }
      return machine.cancelCall(completion: nil, now: now)
    }
    #expect(token == "new")
  }
}
