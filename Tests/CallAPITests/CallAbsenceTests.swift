import Testing

@testable import CallAPI

@Suite("Calls whose other side is gone")
struct CallAbsenceTests {
  private func connected(absence: Int, timeout: Int = 15_000) -> CallBench {
    var bench = CallBench()
    bench.prepare(1, timeout: timeout, absence: absence)
    bench.prepare(2)
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    bench.accept(2, 1)
    bench.run(milliseconds: 400)
    bench.clear()
    return bench
  }

  @Test("a call ends when the other side has been gone from the channel for the time that was prepared")
  func goneForGood() {
    var bench = connected(absence: 500)
    bench.dropFromChannel(2)
    bench.run(milliseconds: 515)
    #expect(bench.log(1) == ["E108 1", "timer 500"])
    bench.run(milliseconds: 10)
    #expect(
      bench.log(1).dropFirst(2) == ["M>hangup 2", "CD 2 890", "timer off", "leave R1", "S(1,10)", "E106"])
    #expect(bench[1].infos.last == ["fromUserId": 2, "callId": "call-1", "hangupReason": "remoteLeft"])
    bench.run(milliseconds: 50)
    // The other side may be there after all.
    #expect(bench.states(2) == ["S(1,10)"])
    #expect(bench.violations == [])
  }

  @Test("one who comes back in time keeps the call")
  func comingBack() {
    var bench = connected(absence: 500)
    bench.happens(1, .userLeft(2, reason: 1))
    bench.run(milliseconds: 300)
    bench.happens(1, .userJoined(2))
    bench.run(milliseconds: 60_000)
    #expect(bench.log(1) == ["E108 1", "timer 500", "E107", "timer off"])
    #expect(bench.state(1) == .connected)
    #expect(bench.violations == [])
  }

  @Test("a side that is cut off from the channel ends the call too, unless its connection comes back")
  func cutOff() {
    var bench = connected(absence: 500)
    bench.happens(1, .cutOff)
    bench.run(milliseconds: 300)
    bench.happens(1, .rejoined)
    bench.run(milliseconds: 60_000)
    #expect(bench.log(1) == ["timer 500", "timer off"] && bench.state(1) == .connected)
    bench.happens(1, .cutOff)
    bench.happens(1, .cutOff)
    bench.run(milliseconds: 600)
    #expect(bench.states(1) == ["S(1,10)"])
    #expect(bench.violations == [])
  }

  @Test("when the server has removed the other side (123) the call ends at once, and not before it was accepted")
  func removed() {
    var bench = connected(absence: 500)
    bench.happens(1, .failed(code: 123, message: nil))
    #expect(bench.states(1) == ["S(1,10)"] && bench.log(1).first == "error 100 100 123 -")
    #expect(bench.violations == [])
    bench = CallBench()
    bench.prepare(1, absence: 500)
    bench.call(1, 2)
    bench.clear()
    bench.happens(1, .failed(code: 123, message: nil))
    #expect(bench.states(1) == [])
  }

  private func isMissing(_ reason: String = "lost", messageID: Int64? = nil, callID: String = "call-1") -> CallMessage {
    var message = CallMessage(.hangup, fromUserID: 2, callID: callID)
    message.messageID = messageID
    message.hangupReason = reason
    return message
  }

  @Test(
    "a server's hangup because of a missing side ends the call if the application allows it, and otherwise tells it so",
    arguments: ["lost", "neverConnected"])
  func missing(reason: String) {
    var bench = connected(absence: 500)
    bench.step(1) { $0.receive(isMissing(reason), now: $1) }
    #expect(bench.states(1) == ["S(1,10)"] && bench.log(1).first?.hasPrefix("error 100 100 123 ") == true)
    // For the other side, and for the server's records.
    #expect(bench.log(1).contains("M>hangup 2"))
    #expect(bench.violations == [])

    bench = CallBench.connected()
    bench.step(1) { $0.receive(isMissing(reason), now: $1) }
    #expect(bench.state(1) == .connected && bench.log(1).count == 1)
    #expect(bench.log(1).first?.hasPrefix("error 100 100 123 ") == true)
    // An end is an end, whatever the other side calls it.
    bench.step(1) { $0.receive(isMissing(reason, messageID: 9), now: $1) }
    #expect(bench.states(1) == ["S(1,10)"])
    #expect(bench.violations == [])
  }

  @Test("a side that is missing is told once for each time that it is, on whichever ways it is heard of")
  func missingTwice() {
    for isChannelFirst in [true, false] {
      var bench = CallBench.connected()
      func tells() -> Int {
        bench.clear()
        for isOfChannel in [isChannelFirst, !isChannelFirst] {
          if isOfChannel {
            bench.happens(1, .failed(code: 123, message: nil))
          } else {
            bench.step(1) { $0.receive(isMissing(), now: $1) }
          }
        }
        return bench.log(1).count { $0.hasPrefix("error") }
      }
      #expect(tells() == 1)
      #expect(tells() == 1)
      bench.step(1) { $0.receive(isMissing(), now: $1) }
      bench.happens(1, .userJoined(2))
      bench.clear()
      bench.happens(1, .failed(code: 123, message: nil))
      #expect(bench.log(1) == ["error 100 100 123 -"] && bench.state(1) == .connected)
    }
  }

  @Test("a server cannot say of a call that rings, or of another one, that a side is missing")
  func missingElsewhere() {
    var bench = CallBench.connected()
    bench.step(1) { $0.receive(isMissing(callID: "unknown"), now: $1) }
    #expect(bench.states(1) == ["S(1,10)"])
    bench = CallBench.prepared()
    bench.call(1, 2)
    bench.clear()
    bench.step(1) { $0.receive(isMissing(), now: $1) }
    #expect(bench.states(1) == ["S(1,10)"])
  }

  @Test("a caller who was seen while it rang and has gone without a word does not connect any more")
  func goneWhileRinging() {
    var bench = CallBench.prepared()
    bench.call(1, 2)
    bench.run(milliseconds: 100)
    bench.dropFromChannel(1)
    bench.run(milliseconds: 100)
    bench.clear()
    bench.accept(2, 1)
    #expect(bench.told(2) == ["S(3,8)", "E104"])
  }

  @Test("an application that has not asked for it decides by itself")
  func notAsked() {
    var bench = CallBench.connected()
    bench.happens(1, .userLeft(2, reason: 1))
    bench.happens(1, .cutOff)
    bench.happens(1, .failed(code: 123, message: nil))
    bench.run(milliseconds: 600_000)
    #expect(bench.log(1) == ["E108 1", "error 100 100 123 -"] && bench.state(1) == .connected)
  }

  @Test("who is connected without ever having seen the other side waits for it no longer than that")
  func neverSeen() {
    var bench = CallBench()
    bench.prepare(1, timeout: 0, isFirstFrameWaitingDisabled: true, absence: 700)
    bench.call(1, 2)
    bench.clear()
    bench.step(1) { $0.receive(CallMessage(.accept, fromUserID: 2, callID: "call-1"), now: $1) }
    #expect(bench.state(1) == .connected)
    bench.run(milliseconds: 800)
    #expect(bench.states(1) == ["S(3,7)", "S(4,7)", "S(1,10)"])
    #expect(bench.violations == [])
  }
}
