import MediaEngine

/// What the application asks for. `completion` comes back in `CallEffect.complete`.
extension CallStateMachine {
  /// Gets ready to call and to be called.
  public mutating func prepare(
    _ new: PrepareConfiguration, completion: Int?, now: CallInstant
  ) -> [CallEffect] {
    run { machine in
      switch machine.state {
      case .idle, .prepared, .failed:
        machine.cleanUp()
        machine.configuration = new
        machine.setState(.prepared, .none, now: now)
        machine.complete(completion, nil)
      case .calling, .connecting, .connected:
        machine.complete(completion, .busy)
      }
    }
  }

  /// Calls a user. `callID` is unique, for example a UUID.
  public mutating func call(
    _ peer: UInt, type: CallType, callExtension: [String: JSONValue] = [:], callID: String, completion: Int?,
    now: CallInstant
  ) -> [CallEffect] {
    run { machine in
      guard let configuration = machine.configuration, !configuration.roomID.isEmpty else {
        return machine.complete(completion, .notPrepared)
      }
      guard machine.state == .prepared, peer != machine.userID, peer != 0 else {
        return machine.complete(completion, .notReady)
      }
      machine.session = CallSession(
        type: type, callID: callID, room: configuration.roomID, peer: peer, isLocalAccepted: true, isCaller: true,
        startTime: now.monotonic)
      var message = machine.message(type == .video ? .videoCall : .audioCall)
      message.remoteUserID = peer
      message.fromRoomID = configuration.roomID
      message.fromUserExtension = (configuration.userExtension ?? [:]).merging(callExtension) { $1 }
      let sent = machine.send(
        message, to: peer, PendingSend(completion: completion, prefix: "call fail: ", callID: callID), now)
      let isVideo = type == .video
      machine.setState(.calling, isVideo ? .localVideoCall : .localAudioCall, info: sent.info, now: now)
      machine.notify(.event(isVideo ? .localVideoCall : .localAudioCall, text: nil))
      machine.join(configuration.roomID, now: now)
    }
  }

  /// Gives up a call that nobody has accepted yet.
  public mutating func cancelCall(completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      guard machine.configuration != nil else { return machine.complete(completion, .nobodyToCancel) }
      if let peer = machine.session.peer {
        let message = machine.message(.cancelCall)
        machine.send(message, to: peer, PendingSend(completion: completion, prefix: "cancelCall fail: "), now)
      } else {
        machine.complete(completion, .nobodyToCancel)
        // Nothing was there to cancel: the state is not touched.
        return
      }
      machine.setState(.prepared, .localCancelled, now: now)
      machine.notify(.event(.localCancelled, text: nil))
    }
  }

  /// Accepts the call that rings.
  public mutating func accept(_ peer: UInt, completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      guard let room = machine.session.room, machine.session.peer == peer else {
        return machine.complete(completion, .nothingToAccept)
      }
      guard machine.state == .calling, !machine.session.isCaller else {
        machine.complete(completion, .notCalling(machine.state))
        return machine.notify(.event(.stateMismatch, text: nil))
      }
      machine.acceptSession(peer, room: room, completion: completion, now: now)
    }
  }

  mutating func acceptSession(_ peer: UInt, room: String, completion: Int?, now: CallInstant) {
    session.isLocalAccepted = true
    let sent = send(message(.accept), to: peer, PendingSend(completion: completion, prefix: "accept fail: "), now)
    join(room, now: now)
    session.noteCost("acceptCall", now)
    setState(.connecting, .localAccepted, info: sent.info, now: now)
    notify(.event(.localAccepted, text: nil))
    checkConnected(.localAccepted, now: now)
  }

  /// Rejects the call that rings.
  public mutating func reject(_ peer: UInt, reason: String?, completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      var message = machine.message(.reject)
      message.rejectReason = reason
      machine.end(message, .localRejected, .localRejected, peer, "reject fail: ", completion, now)
    }
  }

  /// Ends a call.
  public mutating func hangUp(_ peer: UInt, reason: String?, completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      var message = machine.message(.hangup)
      message.hangupReason = reason
      machine.end(message, .localHangup, .localHangup, peer, "hangup fail: ", completion, now)
    }
  }

  /// Tells the other side, and ends the own call if it is with that side.
  private mutating func end(
    _ message: CallMessage, _ reason: CallStateReason, _ event: CallEvent, _ peer: UInt, _ prefix: String,
    _ completion: Int?, _ now: CallInstant
  ) {
    let sent = send(message, to: peer, PendingSend(completion: completion, prefix: prefix), now)
    guard configuration != nil, session.peer == peer else { return }
    setState(.prepared, reason, info: sent.info, now: now)
    notify(.event(event, text: nil))
  }

  /// Replaces the token for rooms, also that of a call under way.
  public mutating func renewToken(_ token: String) -> [CallEffect] {
    run { machine in
      guard machine.configuration != nil else { return machine.notify(.warning("renewToken before prepareForCall")) }
      machine.configuration?.rtcToken = token
      if let room = machine.joinedRoom { machine.effects.append(.renewToken(room: room, token: token)) }
    }
  }

  /// Ends everything; a call under way is cancelled or hung up. Nothing happens after it until `prepare`.
  public mutating func deinitialize(completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      switch machine.state {
      case .calling:
        if let peer = machine.session.peer {
          machine.send(machine.message(.cancelCall), to: peer, PendingSend(prefix: nil), now)
        }
        machine.setState(.prepared, .localCancelled, now: now)
        machine.notify(.event(.localCancelled, text: nil))
      case .connecting, .connected:
        if let peer = machine.session.peer {
          machine.send(machine.message(.hangup), to: peer, PendingSend(prefix: nil), now)
        }
      case .idle, .prepared, .failed: break
      }
      machine.setState(.idle, .none, now: now)
      machine.configuration = nil
      machine.notify(.event(.deinitialize, text: nil))
      machine.complete(completion, nil)
    }
  }

  mutating func complete(_ completion: Int?, _ error: CallError?) {
    if let completion { effects.append(.complete(id: completion, error)) }
  }
}
