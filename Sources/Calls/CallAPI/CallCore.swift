import Dispatch
import Foundation
import MediaEngine
import Signaling
import Synchronization

/// What the call queue owns: the state machine, and the things that its effects are done with.
final class CallCore: @unchecked Sendable {
  // @unchecked: apart from `listeners` and `published`, everything is touched on `queue` only.

  struct Published: Sendable {
    var callID = ""
    var state = CallState.idle
    var authenticationText: String?
  }

  let listeners = CallListeners()
  let published = Mutex(Published())

  private let queue: DispatchQueue
  private let clock: @Sendable () -> CallInstant
  private var rtc: (any CallRTC)?
  private var machine: CallStateMachine?
  private var signalClient: (any SignalClient)?
  private var reporter: (any CallReporter)?
  private var signalHandler: SignalHandlerID?
  private var timer: (any DispatchSourceTimer)?
  private var completions: [Int: CallAPI.Completion] = [:]
  private var completionCount = 0
  /// Counts initializations, so that late news for an earlier one are recognised.
  private var generation = 0
  /// Counts joins: two calls may use the same channel.
  private var joinCount = 0
  /// What is to be done in a channel that waits for its token.
  private var waiting: (room: String, effects: [CallEffect])?

  init(
    queue: DispatchQueue, rtc: (any CallRTC)? = nil, clock: @escaping @Sendable () -> CallInstant = CallCore.systemClock
  ) {
    self.queue = queue
    self.rtc = rtc
    self.clock = clock
  }

  deinit {
    timer?.cancel()
    if let signalHandler { signalClient?.removeHandler(signalHandler) }
    if let machine, let room = machine.room { rtc?.leave(room, uid: machine.userID) }
    let waiting = waitingCompletions
    if !waiting.isEmpty { queue.async { Self.fail(waiting) } }
  }

  func onQueue(_ body: @escaping @Sendable (CallCore) -> Void) { queue.async { body(self) } }

  /// Runs `body` later, unless what it is about has been deinitialized by then.
  private func onQueue(_ generation: Int, _ body: @escaping @Sendable (CallCore) -> Void) {
    onQueue { if $0.generation == generation, $0.machine != nil { body($0) } }
  }

  private var waitingCompletions: [CallAPI.Completion] { completions.sorted { $0.key < $1.key }.map(\.value) }

  private static func fail(_ completions: [CallAPI.Completion]) {
    for completion in completions { completion(CallError(message: "deinitialized")) }
  }

  static let systemClock: @Sendable () -> CallInstant = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return CallInstant(
      monotonic: MediaInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)),
      wallMilliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
  }

  func initialize(_ configuration: CallConfiguration) {
    guard machine == nil else { return warn("must invoke 'deinitialize' to clean state") }
    rtc = EngineCallRTC(engine: configuration.engine)
    initialize(
      userID: configuration.userID, signalClient: configuration.signalClient, reporter: configuration.reporter)
  }

  func initialize(userID: UInt, signalClient: any SignalClient, reporter: (any CallReporter)? = nil) {
    guard machine == nil else { return warn("must invoke 'deinitialize' to clean state") }
    var machine = CallStateMachine(userID: userID)
    machine.isReporting = reporter != nil
    self.machine = machine
    self.signalClient = signalClient
    self.reporter = reporter
    reporter?.report(
      CallReport(
        kind: .api, name: "initialize", timestamp: clock().wallMilliseconds, details: ["userId": JSONValue(userID)]))
    generation += 1
    signalHandler = signalClient.addHandler { [weak self, generation] event in
      guard case .message(let text, let from) = event else { return }
      self?.onQueue(generation) { $0.receive(text, from: from) }
    }
  }

  func deinitialize(_ completion: @escaping CallAPI.Completion) {
    guard machine != nil else { return completion(nil) }
    perform { machine, now in machine.deinitialize(completion: nil, now: now) }
    if let signalHandler { signalClient?.removeHandler(signalHandler) }
    (machine, signalClient, signalHandler, reporter) = (nil, nil, nil, nil)
    self.waiting = nil
    timer?.cancel()
    timer = nil
    let waiting = waitingCompletions
    completions.removeAll()
    Self.fail(waiting)
    completion(nil)
  }

  /// Carries out an API call that ends in a completion.
  func request(
    _ completion: @escaping CallAPI.Completion,
    _ body: (inout CallStateMachine, Int, CallInstant) -> [CallEffect]
  ) {
    guard machine != nil else { return completion(.notInitialized) }
    completionCount += 1
    let id = completionCount
    completions[id] = completion
    perform { machine, now in body(&machine, id, now) }
  }

  /// Lets the machine take a step and does what it wants.
  func perform(_ body: (inout CallStateMachine, CallInstant) -> [CallEffect]) {
    guard var changed = machine else { return }
    let effects = body(&changed, clock())
    machine = changed
    let snapshot = Published(
      callID: changed.callID, state: changed.state, authenticationText: changed.authenticationText)
    published.withLock { $0 = snapshot }
    for effect in effects { carryOut(effect) }
  }

  private func receive(_ text: String, from sender: UInt) {
    guard let message = try? CallMessage(text: text) else { return warn("fail to parse message") }
    // The server itself (0) may speak for others, as when it ends a call.
    guard sender == 0 || message.fromUserID == sender else {
      return warn("a message of \(sender) pretends to be another's")
    }
    if [.videoCall, .audioCall].contains(message.action), let room = message.fromRoomID, let uid = machine?.userID,
      rtc?.isElsewhere(room, uid: uid) == true
    {
      return warn("user \(sender) calls to a channel that this user is in already")
    }
    let listeners = listeners.all
    perform { machine, now in
      machine.receive(
        message,
        joinsOnCalling: { info in Self.joinsOnCalling(listeners, info) }, makeKeyPair: CallKeyPair.make, now: now)
    }
  }

  /// The first yes counts; without one, a no of anybody. Who has no opinion is not counted.
  private static func joinsOnCalling(_ listeners: [any CallAPIListener], _ info: [String: JSONValue]) -> Bool {
    var isRefused = false
    for listener in listeners {
      guard let joins = listener.canJoinRTCOnCalling(eventInfo: info) else { continue }
      if joins { return true }
      isRefused = true
    }
    return !isRefused
  }

  private func carryOut(_ effect: CallEffect) {
    guard let uid = machine?.userID else { return }
    if holdsBack(effect) { return }
    switch effect {
    case .send(let message, let peer, let id, let life): send(message, to: peer, id: id, life)
    case .join(let room, let token, let isVideo, let peer, let publishes):
      if machine?.configuration?.tokenProvider != nil {
        waiting = (room, [effect])
        askForToken(room, uid)
      } else {
        join(room, token: token, isVideo: isVideo, uid: uid, peer: peer, publishes: publishes)
      }
    case .encrypt(let room, let encryption): rtc?.encrypt(room, uid: uid, encryption)
    case .publish(let room, let isVideo): rtc?.publish(room, uid: uid, isVideo: isVideo)
    case .leave(let room): rtc?.leave(room, uid: uid)
    case .reveal(let room, let peer):
      rtc?.reveal(room, uid: uid, peer: peer, remoteView: machine?.configuration?.remoteView)
    case .renewToken(let room, let token): rtc?.renewToken(room, uid: uid, token: token)
    case .startTimer(let milliseconds): startTimer(milliseconds)
    case .stopTimer:
      timer?.cancel()
      timer = nil
    case .report(let report): reporter?.report(report)
    case .notify(let notification): notify(notification)
    case .complete(let id, let error): completions.removeValue(forKey: id)?(error)
    }
  }

  /// Keeps what concerns a channel whose token has not come yet; if it is to be left, there is nothing more to do in it.
  private func holdsBack(_ effect: CallEffect) -> Bool {
    guard let room = waiting?.room else { return false }
    switch effect {
    case .leave(room):
      waiting = nil
      // It has not been joined, but how it was to be encrypted has been said.
      if let uid = machine?.userID { rtc?.leave(room, uid: uid) }
      onQueue(generation) { $0.perform { machine, now in machine.channel(room, .left, now: now) } }
    case .encrypt(room, _), .publish(room, _), .reveal(room, _): waiting?.effects.append(effect)
    default: return false
    }
    return true
  }

  private func askForToken(_ room: String, _ uid: UInt) {
    joinCount += 1
    machine?.configuration?.tokenProvider?(room, uid) { [weak self, generation, joinCount] token in
      self?.onQueue(generation) { core in
        guard core.joinCount == joinCount, let waiting = core.waiting, waiting.room == room else { return }
        core.waiting = nil
        guard let token else {
          let code = EngineErrorCode.invalidToken.rawValue
          return core.perform { machine, now in
            machine.channel(room, .failed(code: code, message: "There is no token for the room."), now: now)
          }
        }
        for effect in waiting.effects {
          guard case .join(_, _, let isVideo, let peer, let publishes) = effect else {
            core.carryOut(effect)
            continue
          }
          core.join(room, token: token, isVideo: isVideo, uid: uid, peer: peer, publishes: publishes)
        }
      }
    }
  }

  /// A room's token ends soon: who provides tokens is asked for another.
  private func renewToken(of room: String) {
    guard let machine, let provider = machine.configuration?.tokenProvider else { return }
    let uid = machine.userID
    provider(room, uid) { [weak self, generation, joinCount] token in
      self?.onQueue(generation) { core in
        guard core.joinCount == joinCount, core.machine?.room == room else { return }
        guard let token else {
          return core.notify(.warning("the token of room \(room) ends soon, and no other has been provided"))
        }
        core.rtc?.renewToken(room, uid: uid, token: token)
      }
    }
  }

  private func send(_ message: CallMessage, to peer: UInt, id: Int, _ timeToLiveMilliseconds: Int?) {
    let completion = { @Sendable [weak self, generation] (error: SignalError?) in
      let error = error.map { CallError(code: $0.code, message: $0.description, isUndelivered: $0.isCertain) }
      self?.onQueue(generation) { $0.perform { machine, now in machine.sendFinished(id, error, now: now) } }
    }
    signalClient?.send(
      message: message.text, to: peer, timeToLiveMilliseconds: timeToLiveMilliseconds, completion: completion)
  }

  private func join(_ room: String, token: String, isVideo: Bool, uid: UInt, peer: UInt, publishes: Bool) {
    joinCount += 1
    let happened = { @Sendable [weak self, generation, joinCount] (event: CallStateMachine.ChannelEvent) in
      guard let self else { return }
      onQueue(generation) { core in
        // Of an earlier call in the same channel, only its end counts.
        guard core.joinCount == joinCount || event == .left else { return }
        core.perform { machine, now in machine.channel(room, event, now: now) }
      }
    }
    // Whoever is called has not chosen the channel.
    let isChosenByPeer = machine?.session.isCaller == false
    let code = rtc?.join(
      room, token: token, uid: uid, peer: peer, isVideo: isVideo, publishes: publishes, givesWay: isChosenByPeer,
      localView: machine?.configuration?.localView, onEvent: happened,
      onTokenExpiry: { [weak self, generation, joinCount] in
        self?.onQueue(generation) { core in
          guard core.joinCount == joinCount else { return }
          core.renewToken(of: room)
          core.listeners.all.forEach { $0.tokenPrivilegeWillExpire() }
        }
      })
    guard let code, code != 0 else { return }
    let isTaken = isChosenByPeer && code == -EngineErrorCode.joinRejected.rawValue
    happened(isTaken ? .taken : .failed(code: -code, message: nil))
  }

  private func startTimer(_ milliseconds: Int) {
    timer?.cancel()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .milliseconds(milliseconds))
    timer.setEventHandler { [weak self] in self?.perform { machine, now in machine.timerFired(now: now) } }
    timer.activate()
    self.timer = timer
  }

  private func warn(_ text: String) { listeners.all.forEach { $0.callDebugInfo(message: text, logLevel: .warning) } }

  private func notify(_ notification: CallNotification) {
    let uid = machine?.userID ?? 0
    for listener in listeners.all {
      switch notification {
      case .state(let state, let reason, let text, let info):
        listener.onCallStateChanged(state: state, stateReason: reason, eventReason: text, eventInfo: info)
      case .event(let event, let text): listener.onCallEventChanged(event: event, eventReason: text)
      case .error(let event, let type, let code, let message):
        listener.onCallError(errorEvent: event, errorType: type, errorCode: code, message: message)
      case .connected(let room, let caller, let timestamp):
        listener.onCallConnected(roomID: room, callUserID: caller, currentUserID: uid, timestamp: timestamp)
      case .disconnected(let room, let ender, let timestamp, let duration):
        listener.onCallDisconnected(
          roomID: room, hangupUserID: ender, currentUserID: uid, timestamp: timestamp, duration: duration)
      case .warning(let text): listener.callDebugInfo(message: text, logLevel: .warning)
      }
    }
  }
}
