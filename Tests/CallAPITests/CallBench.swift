import ControlWire
import MediaBase
import MediaSimulation

@testable import CallAPI

/// Users 1, 2, … whose call state machines are joined by a simulated signalling link and simulated channels, on a virtual
/// clock. Everything random follows from the seed.
struct CallBench {
  /// What the signalling link and the channels do to what passes; times in milliseconds.
  struct Conditions {
    var messageDelay: ClosedRange<Int64> = 10...10
    /// Whether a message may overtake an earlier one to the same user.
    var reorders = false
    /// In percent: messages that are lost without a word, that come twice, and that fail with an error for the sender.
    var loss = 0
    var duplication = 0
    var failure = 0
    /// How long joining takes, and seeing others come and go.
    var channelDelay: ClosedRange<Int64> = 20...20
    /// From the moment on which both are in a channel.
    var frameDelay: ClosedRange<Int64> = 30...30
    /// In percent: joins that fail, and first frames that never come.
    var joinFailure = 0
    var frameLoss = 0
  }

  enum Action {
    case message(CallMessage, to: UInt)
    case sendFinished(UInt, id: Int, CallError?)
    case timer(UInt, generation: Int)
    case rejoin(ChannelMember)
    case channel(UInt, room: String, join: Int, CallStateMachine.ChannelEvent)
  }

  struct Party {
    var machine: CallStateMachine
    var watch: CallWatch
    /// What the machine wanted, as short texts (`CallEffect.summary`).
    var log: [String] = []
    /// The details of the states told so far.
    var infos: [[String: JSONValue]] = []
    var reports: [CallReport] = []
    var timerGeneration = 0
    var joinsOnCalling = true
    var joins = 0
    /// When the last news of a channel come that are on their way.
    var lastNews = MediaInstant.zero
  }

  var conditions = Conditions()
  /// Whether what machines want is written down, and whether messages go as texts: both take time.
  var isThorough = true
  /// Everything that happens, one line each; only if there is a list to begin with.
  var trace: [String]?
  /// What keys of calls are taken from, in turn: making some takes time. Empty if none can be made.
  var keyPairs: [CallKeyPair] = []
  /// Looks at everybody after each step.
  var pairs: CallPairWatch?
  var random: SeededRandom
  var parties: [Party]
  var members: [ChannelMember] = []
  var timeline = VirtualTimeline<Action>()
  private var completions: [String] = []
  private var callCount = 0
  private var keyCount = 0
  private var lastArrival: [UInt: MediaInstant] = [:]

  init(users: Int = 2, seed: UInt64 = 1) {
    random = SeededRandom(seed: seed)
    parties = (1...users).map {
      Party(machine: CallStateMachine(userID: UInt($0)), watch: CallWatch(uid: UInt($0)))
    }
  }

  var now: CallInstant {
    CallInstant(
      monotonic: timeline.now, wallMilliseconds: 1_700_000_000_000 + (timeline.now - .zero).milliseconds)
  }

  subscript(_ uid: UInt) -> Party {
    get { parties[Int(uid) - 1] }
    set { parties[Int(uid) - 1] = newValue }
  }

  func state(_ uid: UInt) -> CallState { self[uid].machine.state }

  /// What a user's machine has wanted since the last `clear`.
  func log(_ uid: UInt) -> [String] { self[uid].log }

  /// The part of the log that listeners and completions get.
  func told(_ uid: UInt) -> [String] {
    log(uid).filter { line in ["S(", "E", "CC", "CD", "error", "done"].contains { line.hasPrefix($0) } }
  }

  /// The states of the log.
  func states(_ uid: UInt) -> [String] { log(uid).filter { $0.hasPrefix("S(") } }

  mutating func clear() { for index in parties.indices { parties[index].log.removeAll() } }

  /// The rules that have been broken so far.
  var violations: [String] { parties.flatMap(\.watch.violations) + (pairs?.violations ?? []) }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: Time

  /// Lets so much virtual time pass.
  mutating func run(milliseconds: Int64) {
    let limit = timeline.now + .milliseconds(milliseconds)
    while let action = timeline.next(until: limit) { perform(action) }
  }

  mutating func schedule(_ action: Action, in delay: ClosedRange<Int64>) {
    timeline.schedule(action, at: timeline.now + .milliseconds(.random(in: delay, using: &random)))
  }

  private mutating func perform(_ action: Action) {
    if trace != nil { note("\(action)") }
    switch action {
    case .message(let message, let uid):
      if isThorough, (try? CallMessage(text: message.text)) != message {
        self[uid].watch.found.add("unreadable: \(message.text)")
      }
      let joins = self[uid].joinsOnCalling
      let keyPair = nextKeyPair()
      step(uid) { $0.receive(message, joinsOnCalling: { _ in joins }, makeKeyPair: { keyPair }, now: $1) }
    case .sendFinished(let uid, let id, let error): step(uid) { $0.sendFinished(id, error, now: $1) }
    case .timer(let uid, let generation):
      guard self[uid].timerGeneration == generation, self[uid].watch.isTimerRunning else { return }
      self[uid].watch.isTimerRunning = false
      step(uid) { $0.timerFired(now: $1) }
    case .rejoin(let member): rejoin(member)
    case .channel(let uid, let room, let join, let event):
      // As CallCore does: of an earlier join, only its end counts.
      guard join == self[uid].joins || event == .left, isThere(event.publisher, room) else { return }
      if room == self[uid].machine.room { note(event, uid) }
      step(uid) { $0.channel(room, event, now: $1) }
    }
  }

  // MARK: Steps

  /// An identifier for a completion that is told by `name` in the log.
  mutating func completion(_ uid: UInt, _ name: String) -> Int {
    completions.append(name)
    self[uid].watch.pendingCompletions.insert(completions.count)
    return completions.count
  }

  mutating func nextKeyPair() -> CallKeyPair? {
    keyCount += 1
    return keyPairs.isEmpty ? nil : keyPairs[keyCount % keyPairs.count]
  }

  mutating func newCallID() -> String {
    callCount += 1
    return "call-\(callCount)"
  }

  /// Lets a machine take a step and does what it wants.
  mutating func step(_ uid: UInt, _ body: (inout CallStateMachine, CallInstant) -> [CallEffect]) {
    let index = Int(uid) - 1
    let effects = body(&parties[index].machine, now)
    parties[index].watch.check(effects, after: parties[index].machine)
    for effect in effects {
      if isThorough {
        parties[index].log.append(effect.summary(completions))
        if case .report(let report) = effect { parties[index].reports.append(report) }
        if case .notify(.state(_, _, _, let info)) = effect { parties[index].infos.append(info) }
      }
      if trace != nil { note("  user \(uid): " + effect.summary(completions)) }
      if case .notify(let notification) = effect {
        pairs?.take(notification, of: uid, callID: parties[index].machine.callID)
      }
      carryOut(effect, of: uid)
    }
    pairs?.check(parties, members, now: timeline.now)
  }

  /// One line of the trace.
  mutating func note(_ text: String) {
    trace?.append("\((timeline.now - .zero).milliseconds) ms \(text)")
  }

  /// Notes the other side's first picture or sound for the watch.
  private mutating func note(_ event: CallStateMachine.ChannelEvent, _ uid: UInt) {
    let session = self[uid].machine.session
    let first: CallStateMachine.ChannelEvent =
      session.type == .video ? .remoteVideo(session.peer ?? 0) : .remoteAudio(session.peer ?? 0)
    if event == first { self[uid].watch.hasFirstFrame = true }
  }

  private mutating func carryOut(_ effect: CallEffect, of uid: UInt) {
    switch effect {
    case .send(let message, let peer, let id, let life):
      send(message, from: uid, to: peer, id: id, .milliseconds(Int64(life ?? SendRequest.defaultTimeToLive)))
    case .startTimer(let milliseconds):
      self[uid].timerGeneration += 1
      schedule(.timer(uid, generation: self[uid].timerGeneration), in: Int64(milliseconds)...Int64(milliseconds))
    case .join(let room, _, let isVideo, _, let publishes): join(uid, room, isVideo: isVideo, publishes: publishes)
    case .publish(let room, let isVideo): publish(uid, room, isVideo: isVideo)
    case .leave(let room): leave(uid, room)
    case .stopTimer, .reveal, .renewToken, .encrypt, .report, .notify, .complete: break
    }
  }

  private mutating func send(
    _ message: CallMessage, from uid: UInt, to peer: UInt, id: Int, _ timeToLive: MediaDuration
  ) {
    guard parties.indices.contains(Int(peer) - 1), !chance(conditions.failure) else {
      let error = CallError(code: 1_404, message: "User \(peer) is not there.", isUndelivered: true)
      return schedule(.sendFinished(uid, id: id, error), in: conditions.messageDelay)
    }
    schedule(.sendFinished(uid, id: id, nil), in: conditions.messageDelay)
    guard !chance(conditions.loss) else { return }
    for _ in 0..<(chance(conditions.duplication) ? 2 : 1) {
      var time = timeline.now + .milliseconds(.random(in: conditions.messageDelay, using: &random))
      if !conditions.reorders {
        time = max(time, lastArrival[peer] ?? .zero)
        lastArrival[peer] = time
      }
      guard time <= timeline.now + timeToLive else { continue }
      timeline.schedule(.message(message, to: peer), at: time)
    }
  }
}
