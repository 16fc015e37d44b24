import MediaBase

@testable import CallAPI

/// Users who do anything at any time, over a link and channels that may do anything. `CallWatch` checks every step; what
/// has to hold in the end is checked here.
struct CallModel {
  var bench: CallBench
  let seed: UInt64
  /// Whether nothing is lost, doubled, overtaken or refused.
  let isPerfect: Bool
  private(set) var connectedCount = 0
  private(set) var violations: [String] = []

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    bench = CallBench(users: Int.random(in: 2...3, using: &random), seed: random.next())
    isPerfect = seed % 3 == 0
    var conditions = CallBench.Conditions()
    let slowest = Int64.random(in: 5...400, using: &random)
    conditions.messageDelay = 1...slowest
    conditions.channelDelay = 1...Int64.random(in: 2...600, using: &random)
    conditions.frameDelay = 5...Int64.random(in: 10...800, using: &random)
    if !isPerfect {
      conditions.reorders = .random(using: &random)
      conditions.loss = .random(in: 0...20, using: &random)
      conditions.duplication = .random(in: 0...20, using: &random)
      conditions.failure = .random(in: 0...10, using: &random)
      conditions.joinFailure = .random(in: 0...10, using: &random)
      conditions.frameLoss = .random(in: 0...20, using: &random)
    }
    bench.conditions = conditions
    for uid in users { prepare(uid) }
  }

  private var users: ClosedRange<UInt> { 1...UInt(bench.parties.count) }

  private mutating func expect(_ condition: Bool, _ text: String) {
    if !condition { violations.append("seed \(seed): \(text)") }
  }

  /// Plays everything; returns what broke the rules.
  mutating func play(actions: Int) -> [String] {
    for _ in 0..<actions {
      act()
      bench.run(milliseconds: pause())
    }
    settle()
    end()
    return bench.violations.map { "seed \(seed): \($0)" } + violations
  }

  // MARK: Random actions

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &bench.random) }

  /// Often none or short, so that things cross; sometimes long enough for a whole call.
  private mutating func pause() -> Int64 {
    switch number(0..<10) {
    case 0..<3: 0
    case 3..<8: Int64(number(1..<300))
    default: Int64(number(300..<4_000))
    }
  }

  private mutating func prepare(_ uid: UInt) {
    bench.prepare(
      uid, timeout: number(1_000..<15_000), userExtension: ["uid": .integer(Int64(uid))],
      isFirstFrameWaitingDisabled: number(0..<8) == 0)
  }

  private mutating func act() {
    let uid = UInt.random(in: users, using: &bench.random)
    bench[uid].joinsOnCalling = number(0..<4) > 0
    // Mostly whoever the call is with, else anybody, also oneself and nobody.
    let anybody = UInt.random(in: 0...users.upperBound, using: &bench.random)
    let peer = number(0..<10) > 0 ? bench[uid].machine.session.peer ?? anybody : anybody
    switch number(0..<100) {
    case 0..<35: bench.call(uid, peer, number(0..<4) == 0 ? .audio : .video)
    case 35..<60: accept(uid, peer)
    case 60..<68: bench.hangUp(uid, peer)
    case 68..<73: bench.reject(uid, peer, reason: "no")
    case 73..<78: bench.cancel(uid)
    case 78..<82: prepare(uid)
    case 82..<84: bench.step(uid) { machine, now in machine.renewToken("token", now: now) }
    case 84..<86:
      bench.deinitialize(uid)
      if number(0..<2) == 0 { prepare(uid) }
    case 86..<88: bench.dropFromChannel(uid)
    case 88..<91: misdirected(uid, peer)
    case 91..<94: match(uid, peer)
    default: if let event = channelEvent(peer) { bench.happens(uid, event) }
    }
    connectedCount += bench.state(uid) == .connected ? 1 : 0
  }

  /// Users do not answer themselves.
  private mutating func accept(_ uid: UInt, _ peer: UInt) { if peer != uid, peer != 0 { bench.accept(uid, peer) } }

  private mutating func channelEvent(_ peer: UInt) -> CallStateMachine.ChannelEvent? {
    let events: [CallStateMachine.ChannelEvent] = [
      .joined, .failed(code: 109, message: nil), .captureFailed(code: 1_003, message: nil), .userJoined(peer),
      .userLeft(peer, reason: 2), .localVideoCaptured,
      .localVideoPublished, .localAudioPublished, .left,
    ]
    return events.randomElement(using: &bench.random)
  }

  /// A server calls two users for each other.
  private mutating func match(_ uid: UInt, _ peer: UInt) {
    let callID = bench.newCallID()
    for (receiver, other) in [(uid, peer), (peer, uid)] where users.contains(receiver) && uid != peer {
      var call = CallMessage(number(0..<2) == 0 ? .videoCall : .audioCall, fromUserID: other, callID: callID)
      call.fromRoomID = "match"
      bench.schedule(.message(call.text, to: receiver), in: bench.conditions.messageDelay)
    }
  }

  /// Something about a channel that the user is not in, answers to an earlier call and of a stranger, and a timer and a
  /// result that nobody waits for: nothing comes of them.
  private mutating func misdirected(_ uid: UInt, _ peer: UInt) {
    let before = bench.log(uid).count
    bench.step(uid) { $0.channel("elsewhere", .remoteVideo(peer), now: $1) }
    bench.step(uid) { $0.channel("elsewhere", .remoteAudio(peer), now: $1) }
    for action in [CallAction.accept, .reject, .cancelCall] {
      bench.step(uid) { $0.receive(CallMessage(action, fromUserID: peer, callID: "earlier"), now: $1) }
    }
    bench.step(uid) { $0.receive(CallMessage(.hangup, fromUserID: 99, callID: $0.callID), now: $1) }
    bench.step(uid) { $0.sendFinished(1_000_000, nil, now: $1) }
    if !bench[uid].watch.isTimerRunning { bench.step(uid) { $0.timerFired(now: $1) } }
    expect(bench.log(uid).count == before, "user \(uid) took what was not for it")
  }

  // MARK: The end

  /// With a perfect link and patience, every call is connected or over; if nothing ever went wrong, for both sides.
  private mutating func settle() {
    bench.conditions = CallBench.Conditions()
    bench.run(milliseconds: 60_000)
    for uid in users {
      let state = bench.state(uid)
      expect(![.calling, .connecting].contains(state), "user \(uid) is \(state) forever")
      guard isPerfect, state == .connected, let peer = bench[uid].machine.session.peer else { continue }
      let (own, other) = (bench[uid].machine, bench[peer].machine)
      expect(
        other.state == .connected && other.session.peer == uid, "\(uid) is connected alone, \(peer) \(other.state)")
      expect(own.callID == other.callID && own.room == other.room, "\(uid) and \(peer) are in different calls")
    }
  }

  /// When all hang up nobody is left anywhere, and nothing is owed.
  private mutating func end() {
    for uid in users {
      if let peer = bench[uid].machine.session.peer { bench.hangUp(uid, peer) }
      bench.run(milliseconds: 2_000)
    }
    for uid in users {
      expect([.prepared, .idle].contains(bench.state(uid)), "user \(uid) is \(bench.state(uid)) after hanging up")
      expect(bench[uid].machine.room == nil, "user \(uid) stays in a channel")
      expect(bench[uid].watch.pendingCompletions.isEmpty, "user \(uid) waits for completions")
    }
    expect(bench.members.isEmpty, "somebody stays in a channel")
    for uid in users {
      bench.deinitialize(uid)
      expect(bench.state(uid) == .idle, "user \(uid) is \(bench.state(uid)) after the end")
    }
  }
}
