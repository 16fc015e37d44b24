import ControlWire
import MediaEngine

/// What the other side says.
extension CallStateMachine {
  /// Takes a message.
  ///
  /// - Parameters:
  ///   - message: as it came; messages of other calls than the present one are told apart by their call's id.
  ///   - joinsOnCalling: asked before an incoming call is told: whether its channel may be joined while it rings.
  ///   - makeKeyPair: makes this side's keys if a call is to be encrypted between the ends.
  ///   - now: when it came.
  public mutating func receive(
    _ message: CallMessage, joinsOnCalling: ([String: JSONValue]) -> Bool = { _ in true },
    makeKeyPair: () -> CallKeyPair? = { nil }, now: CallInstant
  ) -> [CallEffect] {
    run { machine in
      switch message.action {
      case .videoCall, .audioCall: machine.receiveCall(message, joinsOnCalling, makeKeyPair, now)
      case .cancelCall, .accept, .reject, .hangup: machine.receiveAnswer(message, now)
      }
    }
  }

  private mutating func receiveCall(
    _ message: CallMessage, _ joinsOnCalling: ([String: JSONValue]) -> Bool, _ makeKeyPair: () -> CallKeyPair?,
    _ now: CallInstant
  ) {
    guard let room = message.fromRoomID, ControlProtocol.isValidChannelName(room), message.fromUserID != userID,
      message.fromUserID != 0
    else { return notify(.warning("a call without a possible room, or from this user or nobody")) }
    guard !endedCalls.contains(message.callID, with: message.fromUserID) else { return }
    switch state {
    case .idle, .failed: return
    case .prepared:
      guard mayRing(message, now) else { return }
      ring(message, room, joinsOnCalling, makeKeyPair, now)
    case .calling where session.peer == message.fromUserID && session.isCaller:
      meet(message, room, joinsOnCalling, makeKeyPair, now)
    case .calling, .connecting, .connected:
      guard session.peer == message.fromUserID else {
        rejectUnasked(message, CallMessage.busyReason, isBusy: true, now)
        return
      }
      // The call that is under way has come twice.
      guard message.callID != session.callID || message.callID.isEmpty && room != session.room else { return }
      // The same user calls again: what was before is over, at that side at least.
      if state == .calling {
        finish(.cancelByCallerRecall, .remoteCancelled, message, now)
      } else {
        finish(.remoteHangup, .remoteHangup, message, now)
      }
      guard mayRing(message, now) else { return }
      ring(message, room, joinsOnCalling, makeKeyPair, now)
    }
  }

  /// Whether a call may ring. One that comes too soon after others, or while too much is unanswered, is refused, as if this
  /// user were in another: people do not call so often, and an application that answers by itself would send too much.
  private mutating func mayRing(_ call: CallMessage, _ now: CallInstant) -> Bool {
    if hasRoomToRing(now), ringing.take(call.fromUserID, now: now.monotonic) { return true }
    rejectUnasked(call, CallMessage.busyReason, isBusy: true, now)
    return false
  }

  private mutating func ring(
    _ message: CallMessage, _ room: String, _ joinsOnCalling: ([String: JSONValue]) -> Bool,
    _ makeKeyPair: () -> CallKeyPair?, _ now: CallInstant
  ) {
    take(message, room, now)
    guard takeOffer(message, makeKeyPair) else {
      session = CallSession(type: session.type)
      rejectForEncryption(message, now)
      // The own call has been given up for this one.
      guard state == .calling else { return }
      setState(.prepared, .localRejected, text: CallMessage.encryptionReason, now: now)
      return tell(.localRejected, now)
    }
    let info = message.info
    let joins = joinsOnCalling(info)
    let isVideo = message.action == .videoCall
    setState(.calling, isVideo ? .remoteVideoCall : .remoteAudioCall, info: info, now: now)
    tell(isVideo ? .remoteVideoCall : .remoteAudioCall, now)
    if joins { join(room, now: now) }
  }

  private mutating func take(_ message: CallMessage, _ room: String, _ now: CallInstant) {
    session = CallSession(
      type: message.action == .videoCall ? .video : .audio, callID: message.callID, room: room,
      peer: message.fromUserID, startTime: now.monotonic)
    // A server, which does not number its messages, calls both sides for each other.
    session.isRemoteAccepted = message.messageID != nil
  }

  /// Both call each other at once. The call of the smaller uid counts, if the other side has heard of it: that side goes
  /// on, the other accepts it, since it wants to talk to the same user anyway. But who has called for sound only is asked
  /// before it shows its picture.
  private mutating func meet(
    _ message: CallMessage, _ room: String, _ joinsOnCalling: ([String: JSONValue]) -> Bool,
    _ makeKeyPair: () -> CallKeyPair?, _ now: CallInstant
  ) {
    guard message.fromUserID < userID || session.isUnheard else { return ignoreCrossing(message) }
    noteSessionEnd()
    // The time of the own call may be almost over.
    startTimer()
    guard session.type == .video || message.action == .audioCall else {
      leaveChannel()
      return ring(message, room, joinsOnCalling, makeKeyPair, now)
    }
    take(message, room, now)
    guard takeOffer(message, makeKeyPair) else {
      rejectForEncryption(message, now)
      setState(.prepared, .localRejected, text: CallMessage.encryptionReason, now: now)
      return tell(.localRejected, now)
    }
    acceptSession(message.fromUserID, room: room, completion: nil, now: now)
  }

  /// The own call stands. One of the other side's is as well remembered; whoever calls on and on pushes nothing out.
  private mutating func ignoreCrossing(_ call: CallMessage) {
    if session.hasBeenCrossed {
      endedCalls.insertUnheard(call.callID, with: call.fromUserID)
    } else {
      session.hasBeenCrossed = true
      endedCalls.insert(call.callID, with: call.fromUserID)
    }
  }

  /// A call that has not rung is over; its caller is told if that may be. Returns whether it is.
  @discardableResult
  mutating func rejectUnasked(
    _ call: CallMessage, _ reason: String, isBusy: Bool = false, _ now: CallInstant
  ) -> Bool {
    endedCalls.insertUnheard(call.callID, with: call.fromUserID)
    let caller = call.fromUserID
    guard hasRoomToRefuse(caller, now), refusals.take(caller, now: now.monotonic) else { return false }
    var message = CallMessage(.reject, fromUserID: userID, callID: call.callID)
    message.fromUserExtension = configuration?.userExtension
    message.rejectReason = reason
    message.isRejectedByBusyness = isBusy
    send(message, to: caller, PendingSend(prefix: nil, refused: caller), now)
    return true
  }

  private mutating func receiveAnswer(_ message: CallMessage, _ now: CallInstant) {
    let isFromPeer = message.fromUserID == session.peer
    let ends = message.action == .cancelCall || message.action == .hangup
    if ends, !isFromPeer || message.callID != session.callID {
      // A call may come after its end.
      endedCalls.insertUnheard(message.callID, with: message.fromUserID)
    }
    guard isFromPeer, [.calling, .connecting, .connected].contains(state) else { return }
    // What belongs to another call does not count. A server, which does not number its messages, may end a call whose id it
    // does not know; but not by the id of one that is over.
    let isServers =
      message.action == .hangup && message.messageID == nil
      && !endedCalls.containsOwn(message.callID, with: message.fromUserID)
    guard isServers || message.callID.isEmpty || message.callID == session.callID else { return }
    switch message.action {
    case .accept: receiveAccept(message, now)
    case .cancelCall where message.isCancelledByTimer:
      finish(.remoteCallingTimeout, .remoteCallingTimeout, message, now)
    case .cancelCall: finish(.remoteCancelled, .remoteCancelled, message, now)
    case .reject where message.isRejectedByBusyness: finish(.remoteCallBusy, .remoteCallBusy, message, now)
    case .reject: finish(.remoteRejected, .remoteRejected, message, now)
    case .hangup where tellsOfRemoval(message):
      takeRemoval(by: .message, "The other side of the call has been removed from the channel; hang up.", now)
    case .hangup: finish(.remoteHangup, .remoteHangup, message, now)
    case .videoCall, .audioCall: break
    }
  }

  private mutating func receiveAccept(_ message: CallMessage, _ now: CallInstant) {
    // While connecting that of the other callee, which a server has called too.
    guard state == .calling || state == .connecting && !session.isRemoteAccepted else { return }
    session.isRemoteAccepted = true
    noteCost("acceptCall", now)
    let wasAwaited = session.encryption == .awaited
    guard takeAnswer(message) else { return hangUpForEncryption(now) }
    if wasAwaited, let room = joinedRoom {
      tellEncryption(of: room)
      effects.append(.publish(room: room, isVideo: session.type == .video))
    }
    if session.isLocalAccepted, state == .calling {
      setState(.connecting, .remoteAccepted, info: message.info, now: now)
    }
    tell(.remoteAccepted, now)
    checkConnected(.remoteAccepted, now: now)
  }

  private mutating func finish(
    _ reason: CallStateReason, _ event: CallEvent, _ message: CallMessage, _ now: CallInstant
  ) {
    setState(.prepared, reason, info: message.info, now: now)
    tell(event, now)
  }
}
