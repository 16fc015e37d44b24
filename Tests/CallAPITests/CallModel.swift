import MediaBase

@testable import CallAPI

/// Users who do anything at any time, over a link and channels that may do anything. `CallWatch` checks every step; what
/// has to hold in the end is checked here.
struct CallModel {
  var bench: CallBench
  let seed: UInt64
  /// Whether nothing is lost, doubled, overtaken or refused.
  let isPerfect: Bool
  /// Whether each call has a room of its own. With one room for all of a caller's calls, a user whose hangup got lost sees
  /// that caller in its next call, and does not find out that its own is over.
  let hasFreshRooms: Bool
  /// Whether users want keys for their calls, each in its own way. Computing them takes most of such a run's time.
  let hasKeys: Bool
  private(set) var connectedCount = 0
  private(set) var encryptedCount = 0
  private static let keyPairs = (1...7).compactMap {
    CallKeyPair(privateKey: [UInt8](repeating: UInt8($0), count: 32))
  }
  private let found = RuleViolations()

  /// - Parameter trace: whether to write down all that happens.
  init(seed: UInt64, isThorough: Bool = false, trace: Bool = false) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    bench = CallBench(users: Int.random(in: 2...3, using: &random), seed: random.next())
    isPerfect = seed % 3 == 0
    hasFreshRooms = seed % 8 != 7
    hasKeys = seed % 5 < 2
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
    bench.isThorough = isThorough
    bench.trace = trace ? [] : nil
    bench.pairs = CallPairWatch(users: bench.parties.count)
    if hasKeys { bench.keyPairs = Self.keyPairs }
    for uid in users { prepare(uid) }
  }

  private var users: ClosedRange<UInt> { 1...UInt(bench.parties.count) }

  private func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
    found.expect(condition, "seed \(seed): \(text())")
  }

  /// Plays everything; returns what broke the rules.
  mutating func play(actions: Int) -> [String] {
    for _ in 0..<actions {
      act()
      bench.run(milliseconds: pause())
    }
    settle()
    end()
    return bench.violations.map { "seed \(seed): \($0)" } + found.texts
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
    let (timeout, absence) = (number(1_000..<15_000), number(500..<4_000))
    let isImpatient = number(0..<8) == 0
    let policy: CallEncryptionPolicy = hasKeys ? [.off, .preferred, .required, .required][number(0..<4)] : .off
    // Sometimes none can be made.
    if hasKeys { bench.keyPairs = number(0..<12) == 0 ? [] : Self.keyPairs }
    let isPrepared = ![.calling, .connecting, .connected].contains(bench.state(uid))
    bench.prepare(
      uid, timeout: timeout, userExtension: ["uid": .integer(Int64(uid))],
      isFirstFrameWaitingDisabled: isImpatient, encryption: policy, absence: absence, room: hasFreshRooms ? "" : nil)
    guard isPrepared else { return }
    // What the network takes: a message, the channel's news, the first frame.
    let network = bench.conditions.messageDelay.upperBound + bench.conditions.channelDelay.upperBound
    // Who does not wait for a frame may be connected to somebody who has gone while it rang.
    let limit =
      Int64(isImpatient ? timeout + absence : max(timeout, absence)) + network + bench.conditions.frameDelay.upperBound
    bench.pairs?.setPatience(.milliseconds(hasFreshRooms ? limit : .max / 1_000_000), of: uid)
  }

  /// A user's program is killed, and started again.
  private mutating func restart(_ uid: UInt) {
    bench.note("user \(uid) is killed and starts again")
    bench.dropFromChannel(uid)
    bench[uid].machine = CallStateMachine(userID: uid)
    bench[uid].watch = CallWatch(uid: uid, found: bench[uid].watch.found)
    bench[uid].timerGeneration += 1
    bench[uid].joins += 1
    bench.pairs?.restart(uid)
    prepare(uid)
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
    case 82: bench.step(uid) { machine, now in machine.renewToken("token", now: now) }
    case 83: restart(uid)
    case 84..<86:
      bench.deinitialize(uid)
      if number(0..<2) == 0 { prepare(uid) }
    case 86..<88:
      let milliseconds = number(0..<4) == 0 ? nil : Int64(number(1..<6_000))
      bench.cut(uid, for: milliseconds)
      if hasFreshRooms { bench.pairs?.extendPatience(by: .milliseconds(milliseconds ?? 0), of: uid) }
    case 88..<91: misdirected(uid, peer)
    case 91..<94: match(uid, peer)
    default: if let event = channelEvent(peer) { bench.happens(uid, event) }
    }
    guard bench.state(uid) == .connected else { return }
    connectedCount += 1
    if case .key = bench[uid].machine.session.encryption { encryptedCount += 1 }
  }

  /// Users do not answer themselves.
  private mutating func accept(_ uid: UInt, _ peer: UInt) { if peer != uid, peer != 0 { bench.accept(uid, peer) } }

  private mutating func channelEvent(_ peer: UInt) -> CallStateMachine.ChannelEvent? {
    let events: [CallStateMachine.ChannelEvent] = [
      .joined, .failed(code: 109, message: nil), .captureFailed(code: 1_003, message: nil),
      .userLeft(peer, reason: 2), .localVideoCaptured,
      .localVideoPublished, .localAudioPublished, .left, .taken,
    ]
    return events.randomElement(using: &bench.random)
  }

  /// A server calls two users for each other.
  private mutating func match(_ uid: UInt, _ peer: UInt) {
    let callID = bench.newCallID()
    for (receiver, other) in [(uid, peer), (peer, uid)] where users.contains(receiver) && uid != peer {
      var call = CallMessage(number(0..<2) == 0 ? .videoCall : .audioCall, fromUserID: other, callID: callID)
      call.fromRoomID = "match of \(callID)"
      bench.schedule(.message(call, to: receiver), in: bench.conditions.messageDelay)
    }
  }

  /// Something about a channel that the user is not in, answers to an earlier call and of a stranger, and a timer and a
  /// result that nobody waits for: nothing comes of them.
  private mutating func misdirected(_ uid: UInt, _ peer: UInt) {
    var count = 0
    let isTimerRunning = bench[uid].watch.isTimerRunning
    bench.step(uid) { machine, now in
      var effects = machine.channel("elsewhere", .remoteVideo(peer), now: now)
      effects += machine.channel("elsewhere", .remoteAudio(peer), now: now)
      for action in [CallAction.accept, .reject, .cancelCall, .hangup] {
        var message = CallMessage(action, fromUserID: peer, callID: "earlier")
        message.messageID = 3
        effects += machine.receive(message, now: now)
      }
      effects += machine.receive(CallMessage(.hangup, fromUserID: 99, callID: machine.callID), now: now)
      effects += machine.sendFinished(1_000_000, nil, now: now)
      if !isTimerRunning { effects += machine.timerFired(now: now) }
      count = effects.count
      return effects
    }
    expect(count == 0, "user \(uid) took what was not for it")
  }

  // MARK: The end

  /// With a perfect link and patience, every call is connected or over; if nothing ever went wrong, for both sides.
  private mutating func settle() {
    bench.conditions = CallBench.Conditions()
    bench.run(milliseconds: 60_000)
    for uid in users {
      let state = bench.state(uid)
      expect(![.calling, .connecting].contains(state), "user \(uid) is \(state) forever")
      guard hasFreshRooms, state == .connected, let peer = bench[uid].machine.session.peer else { continue }
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
    bench.pairs?.checkEnd()
    for uid in users {
      bench.deinitialize(uid)
      expect(bench.state(uid) == .idle, "user \(uid) is \(bench.state(uid)) after the end")
    }
  }
}
