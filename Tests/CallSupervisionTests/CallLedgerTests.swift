import CallSupervision
import ControlWire
import Testing

@Suite("Records of calls") struct CallLedgerTests {
  @Test("a call's record has its times, costs and end")
  func story() {
    var bench = LedgerBench()
    bench.say(.audioCall, from: 1, to: 2)
    bench.join(1)
    bench.pass(2_000)
    bench.say(.accept, from: 2, to: 1)
    bench.pass(100)
    bench.join(2)
    #expect(bench.report(by: 1, kind: "connected", costs: ["acceptCall": 2_000]) == nil)
    bench.pass(60_000)
    #expect(bench.report(by: 2, quality: ["frames": 29.5]) == nil)
    bench.say(.hangup, from: 2, to: 1, reason: "done")
    #expect(bench.report(by: 2, quality: ["loss": 0.01]) == nil)
    #expect(
      bench.changes == [
        "c started", "c accepted", "c connected", "c reported", "c reported", "c ended hangup by 2", "c reported",
      ])
    var expected = CallRecord(
      callID: "c", caller: 1, callee: 2, room: "room", type: .audio, startTime: LedgerBench.epoch)
    expected.acceptTime = LedgerBench.epoch + 2_000
    expected.connectTime = LedgerBench.epoch + 2_100
    expected.endTime = LedgerBench.epoch + 62_100
    expected.endedBy = 2
    expected.endReason = .hangup
    expected.endDetail = "done"
    expected.costs = ["1": ["acceptCall": 2_000]]
    expected.quality = ["2": ["frames": 29.5, "loss": 0.01]]
    #expect(bench.ledger.record("c") == expected)
    bench.pass(70_000)
    #expect(bench.ledger.callCount == 0)
    #expect(bench.report(by: 2)?.code == .invalidArgument)
  }

  @Test(
    "who ends a call that is not accepted, and why",
    arguments: [
      (CallSignal.Action.cancelCall, false, 1 as UInt, "cancelled by 1"), (.cancelCall, true, 1, "timeout by 1"),
      (.cancelCall, true, 2, "timeout by 2"), (.reject, false, 2, "rejected by 2"), (.reject, true, 2, "busy by 2"),
      (.hangup, false, 1, "hangup by 1"), (.reject, false, 1, "cancelled by 1"),
    ])
  func ends(action: CallSignal.Action, isInternal: Bool, from: UInt, expected: String) {
    var bench = LedgerBench()
    bench.say(.videoCall, from: 1, to: 2)
    bench.say(action, from: from, to: 3 - from, isInternal: isInternal)
    // Whatever comes after the end changes nothing.
    bench.say(.accept, from: 2, to: 1)
    bench.say(.hangup, from: 1, to: 2)
    #expect(bench.changes == ["c started", "c ended \(expected)"])
    #expect(bench.hangups.isEmpty)
  }

  @Test(
    "a reject ends an accepted call, whichever side sends it, as it does at both ends", arguments: [1, 2] as [UInt])
  func rejectAfterAccept(from: UInt) {
    var bench = LedgerBench()
    bench.connect()
    bench.say(.reject, from: from, to: 3 - from)
    #expect(bench.changes.last == "c ended rejected by \(from)")
  }

  @Test("a call to somebody who is not there, or goes before it comes, is unreachable")
  func unreachable() {
    var bench = LedgerBench()
    bench.say(.videoCall, from: 1, to: 2, isDelivered: false)
    bench.say(.videoCall, "d", from: 1, to: 3)
    bench.say(.videoCall, "d", from: 1, to: 3, isDelivered: false)
    #expect(
      bench.changes == ["c started", "c ended unreachable by 0", "d started", "d ended unreachable by 0"])
  }

  @Test("calling again replaces the call; of two calls against each other the one that is not accepted ends")
  func replaced() {
    var bench = LedgerBench()
    bench.say(.videoCall, "a", from: 1, to: 2)
    bench.say(.videoCall, "b", from: 1, to: 2)
    bench.say(.videoCall, "g", from: 2, to: 1)
    bench.say(.accept, "b", from: 2, to: 1)
    #expect(
      bench.changes == [
        "a started", "a ended replaced by 1", "b started", "g started", "g ended glare by 0", "b accepted",
      ])
  }

  @Test("an id that is empty or another's is understood as the sides of a call understand it")
  func ids() {
    var bench = LedgerBench()
    bench.say(.videoCall, from: 1, to: 2)
    bench.say(.accept, "other", from: 2, to: 1)
    #expect(bench.changes == ["c started"])
    bench.say(.accept, "", from: 2, to: 1)
    bench.say(.hangup, "other", from: 1, to: 2)
    #expect(bench.changes == ["c started", "c accepted", "c ended hangup by 1"])
  }

  @Test("a late hangup of a call that has ended leaves the next one alone")
  func lateHangup() {
    var bench = LedgerBench()
    bench.say(.videoCall, "first", from: 1, to: 2)
    bench.say(.accept, "first", from: 2, to: 1)
    bench.say(.hangup, "first", from: 1, to: 2)
    bench.say(.videoCall, "second", from: 1, to: 2, room: "another")
    bench.say(.hangup, "first", from: 2, to: 1)
    bench.say(.accept, "second", from: 2, to: 1)
    let expected = ["first started", "first accepted", "first ended hangup by 1", "second started", "second accepted"]
    #expect(bench.changes == expected)
  }

  @Test("strangers, callers who accept themselves and users without a call change nothing")
  func strangers() {
    var bench = LedgerBench()
    bench.say(.videoCall, from: 1, to: 2)
    bench.say(.videoCall, from: 3, to: 2)
    bench.say(.videoCall, from: 2, to: 1)
    for action in [CallSignal.Action.accept, .reject, .cancelCall, .hangup] {
      bench.say(action, from: 3, to: 1)
      bench.say(action, from: 3, to: 2)
      bench.say(action, from: 2, to: 3)
    }
    bench.say(.accept, from: 1, to: 2)
    bench.say(.videoCall, "self", from: 1, to: 1)
    bench.say(.videoCall, "", from: 1, to: 2)
    bench.say(.videoCall, "no room", from: 1, to: 2, room: "")
    #expect(bench.report(by: 3)?.code == .invalidArgument)
    #expect(bench.changes == ["c started"])
  }

  @Test("one user cannot fill the memory, and what is reported has bounds")
  func bounds() {
    var bench = LedgerBench()
    for number in 1...1_000 { bench.say(.videoCall, "\(number)", from: 1, to: UInt(number + 1)) }
    let limit = CallLedgerConfiguration().maximumCallCountOfUser
    #expect(bench.ledger.callCount == limit)
    // What is not recorded is told, each time.
    #expect(bench.changes.filter { $0.hasSuffix("unrecorded") } == (limit + 1...1_000).map { "\($0) unrecorded" })
    // A call that ends makes room for one.
    bench.say(.cancelCall, "2", from: 1, to: 3)
    bench.say(.videoCall, "next", from: 1, to: 4_000)
    bench.say(.videoCall, "too many", from: 1, to: 4_001)
    #expect(bench.changes.suffix(3) == ["2 ended cancelled by 1", "next started", "too many unrecorded"])
    #expect(bench.ledger.callCount == limit)
    bench.say(.videoCall, "other", from: 5_000, to: 5_001)
    #expect(bench.ledger.record("other") != nil)
    let costs = Dictionary(uniqueKeysWithValues: (0..<64).map { ("a\($0)", $0) })
    #expect(bench.report("1", by: 1, costs: costs) == nil)
    #expect(bench.report("1", by: 1, costs: ["one more": 1])?.code == .resourceLimited)
    #expect(bench.report("1", by: 1, costs: ["a1": 7]) == nil)
    #expect(bench.ledger.record("1")?.costs["1"]?["a1"] == 7)
  }

  @Test("of a caller who makes a thousand calls within a minute, each has its record with its beginning and its end")
  func manyCallsOfOneCaller() {
    var bench = LedgerBench()
    for number in 1...1_000 {
      bench.say(.videoCall, "\(number)", from: 1, to: UInt(number + 1), isDelivered: number % 2 == 0)
      if number % 2 == 0 { bench.say(.reject, "\(number)", from: UInt(number + 1), to: 1) }
      bench.pass(10)
    }
    let expected = (1...1_000).flatMap { number in
      [
        "\(number) started",
        "\(number) ended " + (number % 2 == 0 ? "rejected by \(number + 1)" : "unreachable by 0"),
      ]
    }
    #expect(bench.changes == expected)
    #expect(bench.ledger.callCount == CallLedgerConfiguration().maximumCallCountOfUser)
  }

  @Test("a message that names another sender than the signalling vouches for changes no record and makes none")
  func forgedSenders() {
    var bench = LedgerBench()
    bench.say(.videoCall, from: 1, to: 2)
    for action in [CallSignal.Action.accept, .reject, .cancelCall, .hangup, .videoCall] {
      // A third user in the name of a side, and a side in the name of the other or of a third.
      for (from, name, to) in [(3, 1, 2), (3, 2, 1), (2, 1, 1), (2, 3, 1), (1, 2, 2), (1, 3, 2), (2, 0, 1)]
        as [(UInt, UInt, UInt)]
      {
        bench.say(action, from: from, as: name, to: to)
        bench.say(action, "", from: from, as: name, to: to)
        bench.say(action, "new", from: from, as: name, to: to)
        bench.say(action, from: from, as: name, to: to, isDelivered: false)
      }
    }
    #expect(bench.changes == ["c started"])
    bench.say(.accept, from: 2, as: 2, to: 1)
    #expect(bench.changes == ["c started", "c accepted"])
  }

  @Test(
    "texts that are not messages of calls are none",
    arguments: [
      #"{"message_action":0,"message_version":"1.0","callId":"c","fromRoomId":"r"}"#,
      #"{"message_action":0,"message_version":"1.0","fromUserId":-1,"callId":"c","fromRoomId":"r"}"#,
      "{}", #"{"fromUserId":1,"message_action":0}"#, #"{"fromUserId":1,"message_action":7,"message_version":"1.0"}"#,
      #"{"fromUserId":1,"message_action":"0","message_version":"1.0"}"#,
      #"{"fromUserId":1,"message_action":0,"message_version":"2.0","callId":"x"}"#,
      #"{"fromUserId":1,"message_action":0,"message_version":"1.0","callId":7}"#,
      #"{"fromUserId":1,"message_action":0,"message_version":"1.0","callId":"\#(String(repeating: "x", count: 129))"}"#,
      #"{"fromUserId":1,"message_action":1e300,"message_version":"1.0"}"#, "[]", "null",
    ])
  func notMessages(text: String) {
    #expect(throws: (any Error).self) { try CallSignal(text: text) }
  }

  @Test("messages are read as the sides of a call write them")
  func messages() throws {
    func read(_ text: String) throws -> CallSignal {
      try CallSignal(text: #"{"message_version":"1.0","fromUserId":1,"# + text + "}")
    }
    #expect(
      try read(#""message_action":10,"callId":"c","fromRoomId":"r","fromUserExtension":{"a":[1]},"remoteUserId":2"#)
        == CallSignal(action: .audioCall, fromUserID: 1, callID: "c", roomID: "r"))
    #expect(
      try read(#""message_action":3,"callId":"c","rejectReason":"no","rejectByInternal":1"#)
        == CallSignal(action: .reject, fromUserID: 1, callID: "c", reason: "no", isInternal: true))
    #expect(
      try read(#""message_action":1,"cancelCallByInternal":1"#)
        == CallSignal(action: .cancelCall, fromUserID: 1, callID: "", isInternal: true))
    let long = try read(#""message_action":4,"hangupReason":"\#(String(repeating: "y", count: 500))""#)
    #expect(long.reason?.count == CallSignal.maximumReasonCharacterCount)
    // To the other side such a message is none.
    #expect(throws: (any Error).self) { try read(#""message_action":4,"hangupReason":5"#) }
  }
}
