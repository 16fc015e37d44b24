import ControlWire
import MediaEngine

/// The state machine of 1v1 calls, without clock, thread, network or engine: every method takes what has happened and
/// returns what has to be done about it, in order.
///
/// Both sides join the caller's channel while it rings. The caller publishes at once, the callee when it accepts: nobody's
/// camera is sent before its owner has agreed. What is received before the call is connected is neither heard nor seen.
public struct CallStateMachine: Sendable {
  /// The local user.
  public let userID: UInt
  /// Where the call stands.
  public private(set) var state = CallState.idle
  /// Whether effects for a reporter are wanted.
  public var isReporting = false
  var configuration: PrepareConfiguration?
  var session = CallSession()
  /// The channel that has been joined for the call.
  var joinedRoom: String?
  /// How that channel is encrypted, as far as effects have said.
  var joinedEncryption = CallMediaEncryption.none
  var effects: [CallEffect] = []
  var endedCalls = EndedCalls()
  var ringing = CallAllowance.ringing
  var refusals = CallAllowance.refusals
  private var sends: [Int: PendingSend] = [:]
  private var sendCount = 0

  struct PendingSend {
    var completion: Int?
    /// What the error's text begins with; `nil` to keep quiet about failures.
    var prefix: String?
    /// Set for the message that calls.
    var callID: String?
    /// Set for the refusal of a call that has not rung: who called.
    var refused: UInt?
    /// Nothing comes of it any more then.
    var expiryTime = MediaInstant.zero
  }

  /// So many messages may be unanswered for one more call to ring: callers who never confirm anything must not use up what
  /// the signalling lets wait.
  private static let unansweredLimit = 48
  /// Most refusals that may be unanswered.
  private static let refusalLimit = 16
  /// How long a refusal is worth delivering, if its caller waits that long. It is only a courtesy.
  private static let refusalLifeMilliseconds = 5_000

  /// A machine in state idle.
  public init(userID: UInt) { self.userID = userID }

  /// The id of the call; empty if there is none.
  public var callID: String { session.callID }

  /// The channel of the call, once it has been joined.
  public var room: String? { joinedRoom }

  /// What both users can compare, if the call is encrypted between the ends.
  public var authenticationText: String? { session.authenticationText }

  /// Runs a body and returns the effects it left.
  mutating func run(_ body: (inout CallStateMachine) -> Void) -> [CallEffect] {
    body(&self)
    defer { effects.removeAll() }
    return effects
  }

  // MARK: What has become of effects

  /// A message has been handed over, or not.
  public mutating func sendFinished(_ id: Int, _ error: CallError?, now: CallInstant) -> [CallEffect] {
    run { machine in
      guard let pending = machine.sends.removeValue(forKey: id) else { return }
      if let completion = pending.completion { machine.effects.append(.complete(id: completion, error)) }
      if let error, let prefix = pending.prefix {
        machine.notify(.error(.sendMessageFail, .message, code: error.code, message: prefix + error.message))
      }
      // Not when that call is over already.
      guard let callID = pending.callID, callID == machine.session.callID else { return }
      if let error {
        machine.session.isUnheard = error.isUndelivered
      } else {
        machine.noteCost("remoteUserRecvCall", now)
        machine.tell(.remoteUserRecvCall, now)
      }
    }
  }

  /// The timer has fired: nobody waits any longer.
  public mutating func timerFired(now: CallInstant) -> [CallEffect] {
    run { machine in
      if machine.session.isAbsenceTimed { return machine.endForAbsence(now) }
      guard machine.state == .calling || machine.state == .connecting else { return }
      if let peer = machine.session.peer {
        var message = machine.message(.cancelCall)
        message.isCancelledByTimer = true
        machine.send(message, to: peer, PendingSend(prefix: "cancelCall fail: "), now)
      }
      machine.setState(.prepared, .callingTimeout, now: now)
      machine.tell(.callingTimeout, now)
    }
  }

  // MARK: Tools of the other files

  mutating func notify(_ notification: CallNotification) { effects.append(.notify(notification)) }

  /// Tells an event.
  mutating func tell(_ event: CallEvent, text: String? = nil, _ now: CallInstant) {
    reportEvent(event, text: text, now: now)
    notify(.event(event, text: text))
  }

  func message(_ action: CallAction) -> CallMessage {
    var message = CallMessage(action, fromUserID: userID, callID: session.callID)
    message.fromUserExtension = configuration?.userExtension
    return message
  }

  /// Whether the signalling is free enough for one more call to ring.
  func hasRoomToRing(_ now: CallInstant) -> Bool {
    sends.values.count { $0.expiryTime > now.monotonic } < Self.unansweredLimit
  }

  /// Whether one more refusal may go out: if as much is left free then as `caller` has not confirmed.
  func hasRoomToRefuse(_ caller: UInt, _ now: CallInstant) -> Bool {
    let waiting = sends.values.filter { $0.refused != nil && $0.expiryTime > now.monotonic }
    let share = waiting.count { $0.refused == caller }
    return share + 1 <= Self.refusalLimit - waiting.count - 1
  }

  /// Sends a message; returns it as it goes out.
  @discardableResult
  mutating func send(_ message: CallMessage, to peer: UInt, _ pending: PendingSend, _ now: CallInstant) -> CallMessage {
    sendCount += 1
    let life =
      pending.refused == nil ? timeToLiveMilliseconds(of: message.action, now) : Self.refusalLifeMilliseconds
    sends[sendCount] = pending
    sends[sendCount]?.expiryTime = now.monotonic + .milliseconds(Int64(life ?? SendRequest.defaultTimeToLive))
    var numbered = message
    numbered.messageID = Int64(sendCount)
    numbered.timestamp = now.wallMilliseconds
    effects.append(.send(numbered, to: peer, id: sendCount, timeToLiveMilliseconds: life))
    return numbered
  }

  /// A call and its accept are worth delivering as long as this side waits. Its end as long as any of them may still come,
  /// and longer: whoever hears of it late is in that call until then.
  private func timeToLiveMilliseconds(of action: CallAction, _ now: CallInstant) -> Int? {
    guard let timeout = configuration?.callTimeoutMilliseconds, timeout > 0 else { return nil }
    switch action {
    case .videoCall, .audioCall: return timeout
    case .accept:
      let waited = session.startTime.map { (now.monotonic - $0).milliseconds } ?? 0
      return max(1, timeout - Int(waited))
    case .cancelCall, .reject, .hangup: return max(timeout, SendRequest.defaultTimeToLive)
    }
  }

  /// The order that applications rely on: connected or disconnected first, then what entering the state does, then the
  /// state itself, told even if it is unchanged.
  mutating func setState(
    _ new: CallState, _ reason: CallStateReason, text: String = "", info: [String: JSONValue] = [:], now: CallInstant
  ) {
    let old = state
    if old == .connecting, new == .connected { tellConnected(now) }
    if old == .connected, new != .connected { tellDisconnected(reason, now) }
    reportState(new, reason, text: text, now: now)
    state = new
    if old != new { enter(new, from: old, now) }
    notify(.state(new, reason, text: text, info: info))
  }

  private mutating func enter(_ new: CallState, from old: CallState, _ now: CallInstant) {
    switch new {
    case .calling: startTimer()
    case .connecting:
      session.connectingTime = now.monotonic
      watchAbsence()
    case .connected:
      effects.append(.stopTimer)
      session.isAbsenceTimed = false
      if let room = joinedRoom, let peer = session.peer { effects.append(.reveal(room: room, peer: peer)) }
      reportFirstFrame(now)
      watchAbsence()
    case .prepared:
      effects.append(.stopTimer)
      if old != .idle { cleanUp() }
    case .idle, .failed:
      effects.append(.stopTimer)
      cleanUp()
    }
  }

  /// Starts the time that calling and connecting may take, from its beginning if it runs already.
  mutating func startTimer() {
    guard let timeout = configuration?.callTimeoutMilliseconds, timeout > 0 else { return }
    effects.append(.startTimer(milliseconds: timeout))
  }

  /// The call of the moment is over, whatever else is said of it.
  mutating func noteSessionEnd() {
    if let peer = session.peer { endedCalls.insert(session.callID, with: peer) }
  }

  /// Leaves the channel and forgets the call, but not what was prepared.
  mutating func cleanUp() {
    leaveChannel()
    noteSessionEnd()
    session = CallSession(type: session.type)
  }

  mutating func leaveChannel() {
    guard let room = joinedRoom else { return }
    joinedRoom = nil
    joinedEncryption = .none
    effects.append(.leave(room: room))
  }

  private mutating func tellConnected(_ now: CallInstant) {
    session.connectedTime = now
    let caller = session.isCaller ? userID : session.peer ?? 0
    notify(.connected(room: session.room ?? "", callUserID: caller, timestamp: now.wallMilliseconds))
  }

  private mutating func tellDisconnected(_ reason: CallStateReason, _ now: CallInstant) {
    let endedByPeer: [CallStateReason] = [.remoteCancelled, .remoteHangup, .remoteRejected, .remoteCallBusy]
    let duration = session.connectedTime.map { (now.monotonic - $0.monotonic).milliseconds } ?? 0
    notify(
      .disconnected(
        room: session.room ?? "", hangupUserID: endedByPeer.contains(reason) ? session.peer ?? 0 : userID,
        timestamp: now.wallMilliseconds, duration: duration))
  }

  /// Joins the call's channel, leaving another one first; in a channel that has been joined already, publishes.
  mutating func join(_ room: String, now: CallInstant) {
    guard let peer = session.peer else { return }
    if let other = joinedRoom, other != room { leaveChannel() }
    let isVideo = session.type == .video
    tellEncryption(of: room)
    if joinedRoom == room {
      if mayPublish { effects.append(.publish(room: room, isVideo: isVideo)) }
      return
    }
    joinedRoom = room
    session.joinTime = now.monotonic
    effects.append(
      .join(
        room: room, token: configuration?.rtcToken ?? "", isVideo: isVideo, peer: peer,
        publishes: mayPublish))
    tell(.joinRTCStart, now)
  }

  /// Whether the call is connected now that one more condition holds.
  mutating func checkConnected(_ reason: CallStateReason, now: CallInstant) {
    guard let room = joinedRoom, state == .connecting, session.isRemoteAccepted,
      configuration?.isFirstFrameWaitingDisabled == true || session.hasFirstFrame
    else { return }
    var info: [String: JSONValue] = [
      "fromRoomId": .string(room), "fromUserId": JSONValue(session.peer ?? 0),
      "remoteUserId": JSONValue(userID), "costTimeMap": .object(session.costs),
    ]
    info[CallInfoKey.authenticationText] = session.authenticationText.map { .string($0) }
    setState(.connected, reason, info: info, now: now)
  }
}
