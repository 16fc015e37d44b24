import CallAPI

/// Steps that happen to a machine at random, those that mean something in its state more often. All follows from the seed.
struct CallWalk {
  private(set) var steps: [CallStep] = []
  /// What the Swift machine made of them.
  private(set) var lines: [String] = []
  private(set) var states: [String] = []
  private var machine = CallStateMachine(userID: 5)
  private var random: UInt64
  /// Who was called or called last.
  private var peer: UInt = 3

  init(seed: UInt64) { random = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func take(_ count: Int) {
    add(.prepare("R5"))
    for _ in 1..<count { add(step()) }
  }

  private mutating func add(_ step: CallStep) {
    lines.append(CallTwins.line(&machine, step, at: steps.count, &states))
    steps.append(step)
  }

  private mutating func number(_ limit: Int) -> Int {
    // xorshift64*
    random ^= random &>> 12
    random ^= random &<< 25
    random ^= random &>> 27
    return Int((random &* 0x2545_F491_4F6C_DD1D) &>> 33) % limit
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }

  /// Mostly the other side; sometimes others, this user or nobody.
  private mutating func someone() -> UInt { number(5) > 0 ? peer : pick([3, 9, 5, 0]) }

  private mutating func callID() -> String { number(5) > 0 ? machine.callID : pick(["", "a", "b"]) }

  private mutating func publicKey() -> [UInt8]? {
    pick([nil, CallTwinKeys.peerPublicKey, CallTwinKeys.peerPublicKey, CallTwinKeys.uselessPublicKey, [1, 2]])
  }

  private mutating func room() -> String { number(8) > 0 ? machine.room ?? "R5" : pick(["R3", "R5", "R9"]) }

  private mutating func step() -> CallStep {
    let isUnderWay = machine.state != .idle && machine.state != .prepared
    switch number(isUnderWay ? 26 : 6) {
    case 0:
      return .prepare(
        pick(["R5", "R5", "R6", ""]), timeout: pick([0, 900]), isFirstFrameWaitingDisabled: chance,
        absence: pick([0, 0, 500]), encryption: pick([.off, .off, .preferred, .required]))
    case 1, 2:
      if !isUnderWay { peer = pick([3, 9]) }
      return .call(someone(), pick([.video, .audio]), id: "own-\(steps.count)", canMakeKeys: number(5) > 0)
    case 3, 4:
      if !isUnderWay { peer = pick([3, 9]) }
      let id = number(6) == 0 ? callID() : "call-\(steps.count)"
      return .message(
        pick([.videoCall, .audioCall]), from: someone(), id: id, room: pick(["R3", "R9", "R9", nil, "", "R/9"]),
        isServers: number(4) == 0, joins: number(4) > 0, publicKey: publicKey())
    case 5: return number(4) == 0 ? .deinitialize : .sent(number(30), code: chance ? nil : 1_404, isUndelivered: chance)
    case 6: return pick([.cancel, .timer, .timer, .token("token-\(steps.count)")])
    case 7, 8: return .accept(someone())
    case 9: return .reject(someone(), chance ? "no" : nil)
    case 10: return .hangUp(someone(), chance ? "enough" : nil)
    case 11, 12, 13: return .message(.accept, from: someone(), id: callID(), publicKey: publicKey())
    case 14: return .message(pick([.reject, .cancelCall]), from: someone(), id: callID(), internally: chance)
    case 15:
      return .message(
        .hangup, from: someone(), id: callID(), isServers: number(3) == 0,
        reason: pick(["tired", "lost", "neverConnected"]))
    case 16, 17, 18: return .channel(room(), .remoteVideo(someone()))
    case 19, 20, 21: return .channel(room(), .remoteAudio(someone()))
    case 22:
      return .channel(
        room(),
        pick([
          .joined, .left, .cutOff, .rejoined, .taken, .failed(code: 2, message: "no"), .failed(code: 123, message: nil),
        ]))
    case 23:
      return .channel(room(), pick([.userJoined(3), .userJoined(9), .userLeft(3, reason: 1), .userLeft(9, reason: 0)]))
    case 24:
      return .channel(room(), pick([.localVideoCaptured, .localVideoPublished, .localAudioPublished]))
    default: return .channel(room(), .captureFailed(code: 1_003, message: chance ? "no camera" : nil))
    }
  }

  private var chance: Bool { mutating get { number(2) == 0 } }
}
