import Testing

@testable import CallAPI

/// User 1 with user 2. The texts are those of `CallEffect.summary`; situations with the same outcome share a line.
@Suite("Everything that can happen to a call, wherever it stands")
struct CallTableTests {
  private func expect(
    _ table: String, is expected: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var name = ""
    let (lines, expectedLines) = (table.split(separator: "\n"), expected.split(separator: "\n"))
    for (line, expectedLine) in zip(lines, expectedLines) {
      if !line.hasPrefix("  ") { name = String(line) }
      guard line != expectedLine else { continue }
      Issue.record("\(name):\n\(line)\nin place of\n\(expectedLine)", sourceLocation: sourceLocation)
      return
    }
    #expect(lines.count == expectedLines.count, sourceLocation: sourceLocation)
  }

  @Test("what the application asks for, timers, and what becomes of messages")
  func requests() {
    expect(
      CallTable.text(CallTable.requests),
      is: """
        prepareForCall
          idle: timer off, S(1,0), done completion
          prepared: S(1,0), done completion
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: done completion: currently busy
        call 2
          idle: done completion: call fail! config or roomId is empty
          prepared: M>call 2, timer 15000, S(2,30), E140, join R1 video publishing, E10
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: done completion: call fail! \
        state busy or not initialized
        call 3 by sound
          idle: done completion: call fail! config or roomId is empty
          prepared: M>audio call 3, timer 15000, S(2,31), E141, join R1 audio publishing, E10
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: done completion: call fail! \
        state busy or not initialized
        call oneself
          idle: done completion: call fail! config or roomId is empty
          prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: done completion: call \
        fail! state busy or not initialized
        call nobody
          idle: done completion: call fail! config or roomId is empty
          prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: done completion: call \
        fail! state busy or not initialized
        cancelCall
          idle prepared: done completion: cancelCall fail! callingUserId is empty
          callingOut connectingOut: M>cancel 2, timer off, leave R1, S(1,11), E109
          callingIn connectingIn: M>cancel 2, timer off, leave R2, S(1,11), E109
          connectedOut: M>cancel 2, CD 1 1500, timer off, leave R1, S(1,11), E109
          connectedIn: M>cancel 2, CD 1 1500, timer off, leave R2, S(1,11), E109
        accept 2
          idle prepared: done completion: accept fail! current userId or roomId is empty
          callingOut: done completion: accept fail! current state[2] is not calling, E9
          callingIn: M>accept 2, publish R2 video, S(3,8), E104
          connectingOut connectingIn: done completion: accept fail! current state[3] is not calling, E9
          connectedOut connectedIn: done completion: accept fail! current state[4] is not calling, E9
        accept 3
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: done completion: \
        accept fail! current userId or roomId is empty
        reject 2
          idle prepared: M>reject 2
          callingOut connectingOut: M>reject 2, timer off, leave R1, S(1,5), E100
          callingIn connectingIn: M>reject 2, timer off, leave R2, S(1,5), E100
          connectedOut: M>reject 2, CD 1 1500, timer off, leave R1, S(1,5), E100
          connectedIn: M>reject 2, CD 1 1500, timer off, leave R2, S(1,5), E100
        reject 3
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: M>reject 3
        hangup 2
          idle prepared: M>hangup 2
          callingOut connectingOut: M>hangup 2, timer off, leave R1, S(1,9), E105
          callingIn connectingIn: M>hangup 2, timer off, leave R2, S(1,9), E105
          connectedOut: M>hangup 2, CD 1 1500, timer off, leave R1, S(1,9), E105
          connectedIn: M>hangup 2, CD 1 1500, timer off, leave R2, S(1,9), E105
        hangup 3
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: M>hangup 3
        renewToken
          idle: warning renewToken before prepareForCall
          prepared: nothing
          callingOut connectingOut connectedOut: token R1 T
          callingIn connectingIn connectedIn: token R2 T
        deinitialize
          idle: S(0,0), E1, done completion
          prepared: timer off, S(0,0), E1, done completion
          callingOut: M>cancel 2, timer off, leave R1, S(1,11), E109, timer off, S(0,0), E1, done completion
          callingIn: M>cancel 2, timer off, leave R2, S(1,11), E109, timer off, S(0,0), E1, done completion
          connectingOut: M>hangup 2, timer off, leave R1, S(0,0), E1, done completion
          connectingIn: M>hangup 2, timer off, leave R2, S(0,0), E1, done completion
          connectedOut: M>hangup 2, CD 1 1500, timer off, leave R1, S(0,0), E1, done completion
          connectedIn: M>hangup 2, CD 1 1500, timer off, leave R2, S(0,0), E1, done completion
        the timer fires
          idle prepared connectedOut connectedIn: nothing
          callingOut connectingOut: M>cancel by timer 2, timer off, leave R1, S(1,14), E3
          callingIn connectingIn: M>cancel by timer 2, timer off, leave R2, S(1,14), E3
        the first message was handed over
          idle prepared callingIn connectingIn connectedIn: nothing
          callingOut connectingOut connectedOut: E99
        the first message could not be sent
          idle prepared callingIn: nothing
          callingOut connectingOut connectedOut: error 210 110 1404 call fail: gone
          connectingIn connectedIn: error 210 110 1404 accept fail: gone
        """)
  }

  @Test("what the other side, others and servers say")
  func messages() {
    expect(
      CallTable.text(CallTable.messages),
      is: """
        call of 2, new id and room
          idle callingOut: nothing
          prepared: timer 15000, S(2,32), E142, join R9 video, E10
          callingIn: timer off, leave R2, S(1,15), E110, timer 15000, S(2,32), E142, join R9 video, E10
          connectingOut: timer off, leave R1, S(1,10), E106, timer 15000, S(2,32), E142, join R9 video, E10
          connectingIn: timer off, leave R2, S(1,10), E106, timer 15000, S(2,32), E142, join R9 video, E10
          connectedOut: CD 2 1500, timer off, leave R1, S(1,10), E106, timer 15000, S(2,32), E142, join R9 video, E10
          connectedIn: CD 2 1500, timer off, leave R2, S(1,10), E106, timer 15000, S(2,32), E142, join R9 video, E10
        call of 2, the same again
          idle callingOut callingIn connectingOut connectingIn connectedOut connectedIn: nothing
          prepared: timer 15000, S(2,32), E142, join R2 video, E10
        call of 2, without id
          idle callingOut: nothing
          prepared: timer 15000, S(2,32), E142, join R2 video, E10
          callingIn: timer off, leave R2, S(1,15), E110, timer 15000, S(2,32), E142, join R2 video, E10
          connectingOut: timer off, leave R1, S(1,10), E106, timer 15000, S(2,32), E142, join R2 video, E10
          connectingIn: timer off, leave R2, S(1,10), E106, timer 15000, S(2,32), E142, join R2 video, E10
          connectedOut: CD 2 1500, timer off, leave R1, S(1,10), E106, timer 15000, S(2,32), E142, join R2 video, E10
          connectedIn: CD 2 1500, timer off, leave R2, S(1,10), E106, timer 15000, S(2,32), E142, join R2 video, E10
        call of 2 by sound, new id and room
          idle callingOut: nothing
          prepared: timer 15000, S(2,33), E143, join R9 audio, E10
          callingIn: timer off, leave R2, S(1,15), E110, timer 15000, S(2,33), E143, join R9 audio, E10
          connectingOut: timer off, leave R1, S(1,10), E106, timer 15000, S(2,33), E143, join R9 audio, E10
          connectingIn: timer off, leave R2, S(1,10), E106, timer 15000, S(2,33), E143, join R9 audio, E10
          connectedOut: CD 2 1500, timer off, leave R1, S(1,10), E106, timer 15000, S(2,33), E143, join R9 audio, E10
          connectedIn: CD 2 1500, timer off, leave R2, S(1,10), E106, timer 15000, S(2,33), E143, join R9 audio, E10
        call of 2, not to be joined while it rings
          idle callingOut: nothing
          prepared: timer 15000, S(2,32), E142
          callingIn: timer off, leave R2, S(1,15), E110, timer 15000, S(2,32), E142
          connectingOut: timer off, leave R1, S(1,10), E106, timer 15000, S(2,32), E142
          connectingIn: timer off, leave R2, S(1,10), E106, timer 15000, S(2,32), E142
          connectedOut: CD 2 1500, timer off, leave R1, S(1,10), E106, timer 15000, S(2,32), E142
          connectedIn: CD 2 1500, timer off, leave R2, S(1,10), E106, timer 15000, S(2,32), E142
        call of 3
          idle: nothing
          prepared: timer 15000, S(2,32), E142, join R3 video, E10
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: M>reject busy 3
        call without a room
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: warning a call \
        without a possible room, or from this user or nobody
        call of oneself
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: warning a call \
        without a possible room, or from this user or nobody
        call of nobody
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: warning a call \
        without a possible room, or from this user or nobody
        cancel
          idle prepared: nothing
          callingOut connectingOut: timer off, leave R1, S(1,12), E110
          callingIn connectingIn: timer off, leave R2, S(1,12), E110
          connectedOut: CD 2 1500, timer off, leave R1, S(1,12), E110
          connectedIn: CD 2 1500, timer off, leave R2, S(1,12), E110
        cancel by timer
          idle prepared: nothing
          callingOut connectingOut: timer off, leave R1, S(1,18), E4
          callingIn connectingIn: timer off, leave R2, S(1,18), E4
          connectedOut: CD 1 1500, timer off, leave R1, S(1,18), E4
          connectedIn: CD 1 1500, timer off, leave R2, S(1,18), E4
        reject
          idle prepared: nothing
          callingOut connectingOut: timer off, leave R1, S(1,6), E101
          callingIn connectingIn: timer off, leave R2, S(1,6), E101
          connectedOut: CD 2 1500, timer off, leave R1, S(1,6), E101
          connectedIn: CD 2 1500, timer off, leave R2, S(1,6), E101
        reject for busyness
          idle prepared: nothing
          callingOut connectingOut: timer off, leave R1, S(1,17), E117
          callingIn connectingIn: timer off, leave R2, S(1,17), E117
          connectedOut: CD 2 1500, timer off, leave R1, S(1,17), E117
          connectedIn: CD 2 1500, timer off, leave R2, S(1,17), E117
        accept
          idle prepared connectingOut connectingIn connectedOut connectedIn: nothing
          callingOut: S(3,7), E103
          callingIn: E103
        hangup
          idle prepared: nothing
          callingOut connectingOut: timer off, leave R1, S(1,10), E106
          callingIn connectingIn: timer off, leave R2, S(1,10), E106
          connectedOut: CD 2 1500, timer off, leave R1, S(1,10), E106
          connectedIn: CD 2 1500, timer off, leave R2, S(1,10), E106
        hangup of a server under another id
          idle prepared: nothing
          callingOut connectingOut: timer off, leave R1, S(1,10), E106
          callingIn connectingIn: timer off, leave R2, S(1,10), E106
          connectedOut: CD 2 1500, timer off, leave R1, S(1,10), E106
          connectedIn: CD 2 1500, timer off, leave R2, S(1,10), E106
        cancel without id or number
          idle prepared: nothing
          callingOut connectingOut: timer off, leave R1, S(1,12), E110
          callingIn connectingIn: timer off, leave R2, S(1,12), E110
          connectedOut: CD 2 1500, timer off, leave R1, S(1,12), E110
          connectedIn: CD 2 1500, timer off, leave R2, S(1,12), E110
        accept without id or number
          idle prepared connectingOut connectingIn connectedOut connectedIn: nothing
          callingOut: S(3,7), E103
          callingIn: E103
        """)
  }

  @Test("what happens in the channel of a video call")
  func channel() {
    expect(
      CallTable.text(CallTable.channel),
      is: """
        joined
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: E5, E111
        left
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: E112
        cutOff
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: nothing
        rejoined
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: nothing
        taken
          idle prepared callingOut connectingOut connectedOut: nothing
          callingIn: M>reject 2, timer off, leave R2, S(1,5), E100
          connectingIn: M>hangup 2, timer off, leave R2, S(1,9), E105
          connectedIn: M>hangup 2, CD 1 1500, timer off, leave R2, S(1,9), E105
        failed 109
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: error 100 100 109 late
        captureFailed 1003
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: error 110 100 1003 no
        userJoined 2
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: E107
        userLeft 2 for 1
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: E108 1
        remoteVideo 2
          idle prepared: nothing
          callingOut callingIn connectedOut connectedIn: E113
          connectingOut: E113, CC 1, timer off, reveal R1 2, S(4,13)
          connectingIn: E113, CC 2, timer off, reveal R2 2, S(4,13)
        remoteAudio 2
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: nothing
        localVideoCaptured
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: E119
        localVideoPublished
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: E120
        localAudioPublished
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: E130
        """)
  }

  @Test("what is different in the channel of an audio call")
  func audioChannel() {
    let happenings = CallTable.channel.filter { $0.name.hasPrefix("remote") || $0.name.hasPrefix("captureFailed") }
    expect(
      CallTable.text(happenings, .audio),
      is: """
        captureFailed 1003
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: nothing
        remoteVideo 2
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: nothing
        remoteAudio 2
          idle prepared: nothing
          callingOut callingIn connectedOut connectedIn: E113
          connectingOut: E113, CC 1, timer off, reveal R1 2, S(4,13)
          connectingIn: E113, CC 2, timer off, reveal R2 2, S(4,13)
        """)
  }

  @Test("who comes and goes when the call is to end by itself after an absence")
  func absence() {
    let names = ["cutOff", "rejoined", "userJoined", "userLeft", "remoteVideo"]
    let happenings = CallTable.channel.filter { happening in names.contains { happening.name.hasPrefix($0) } }
    expect(
      CallTable.text(happenings, absence: 700),
      is: """
        cutOff
          idle prepared callingOut callingIn connectingOut connectingIn: nothing
          connectedOut connectedIn: timer 700
        rejoined
          idle prepared callingOut callingIn connectingOut connectingIn connectedOut connectedIn: nothing
        userJoined 2
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn connectedOut connectedIn: E107
        userLeft 2 for 1
          idle prepared: nothing
          callingOut callingIn connectingOut connectingIn: E108 1
          connectedOut connectedIn: E108 1, timer 700
        remoteVideo 2
          idle prepared: nothing
          callingOut callingIn connectedOut connectedIn: E113
          connectingOut: E113, CC 1, timer off, reveal R1 2, S(4,13)
          connectingIn: E113, CC 2, timer off, reveal R2 2, S(4,13)
        """)
  }

  @Test("there is a call's id from calling on")
  func callID() {
    for situation in CallTable.Situation.allCases {
      let isInCall = situation != .idle && situation != .prepared
      #expect(CallTable.machine(situation).callID == (isInCall ? "now" : ""), "\(situation)")
    }
  }

  @Test("nothing ever comes of what is about another call, another channel or another user")
  func irrelevant() {
    for happening in CallTable.irrelevant {
      for situation in CallTable.Situation.allCases {
        let effects = CallTable.effects(happening, situation, absence: 700)
        #expect(effects == "nothing", "\(happening.name), \(situation): \(effects)")
      }
    }
  }
}
