import MediaEngine

/// What the application asks for. `completion` comes back in `CallEffect.complete`.
extension CallStateMachine {
  /// Gets ready to call and to be called.
  public mutating func prepare(
    _ new: PrepareConfiguration, completion: Int?, now: CallInstant
  ) -> [CallEffect] {
    run { machine in
      machine.reportCall(of: "prepareForCall", ["roomId": .string(new.roomID)], now: now)
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

  /// Calls a user.
  ///
  /// - Parameters:
  ///   - peer: the user's number; not 0 and not the own one.
  ///   - type: with pictures, or with sound alone.
  ///   - callExtension: goes to the other side as it is.
  ///   - callID: unique, for example a UUID.
  ///   - freshRoomID: the channel of this call if none has been prepared; must not be guessable.
  ///   - makeKeyPair: makes this side's keys if the call is to be encrypted between the ends.
  ///   - completion: names the request in the effect that says how it ended; `nil` if nobody wants to know.
  ///   - now: when it is asked for.
  public mutating func call(
    _ peer: UInt, type: CallType, callExtension: [String: JSONValue] = [:], callID: String, freshRoomID: String = "",
    makeKeyPair: () -> CallKeyPair? = { nil }, completion: Int?, now: CallInstant
  ) -> [CallEffect] {
    run { machine in
      machine.reportCall(
        of: "call", ["remoteUserId": JSONValue(peer), "callType": JSONValue(type.rawValue)], now: now)
      let prepared = machine.configuration?.roomID ?? ""
      let room = prepared.isEmpty ? freshRoomID : prepared
      guard let configuration = machine.configuration, !room.isEmpty else {
        return machine.complete(completion, .notPrepared)
      }
      guard machine.state == .prepared, peer != machine.userID, peer != 0 else {
        return machine.complete(completion, .notReady)
      }
      machine.session = CallSession(
        type: type, callID: callID, room: room, peer: peer, isLocalAccepted: true, isCaller: true,
        startTime: now.monotonic)
      guard machine.offerEncryption(makeKeyPair) else {
        machine.session = CallSession(type: type)
        return machine.complete(completion, .noKey)
      }
      var message = machine.message(type == .video ? .videoCall : .audioCall)
      message.remoteUserID = peer
      message.fromRoomID = room
      message.publicKey = machine.session.keyPair?.publicKey
      message.fromUserExtension = (configuration.userExtension ?? [:]).merging(callExtension) { $1 }
      let sent = machine.send(
        message, to: peer, PendingSend(completion: completion, prefix: "call fail: ", callID: callID), now)
      let isVideo = type == .video
      machine.setState(.calling, isVideo ? .localVideoCall : .localAudioCall, info: sent.info, now: now)
      machine.tell(isVideo ? .localVideoCall : .localAudioCall, now)
      machine.join(room, now: now)
    }
  }

  /// Gives up a call that nobody has accepted yet.
  public mutating func cancelCall(completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      machine.reportCall(of: "cancelCall", now: now)
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
      machine.tell(.localCancelled, now)
    }
  }

  /// Accepts the call that rings.
  public mutating func accept(_ peer: UInt, completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      machine.reportCall(of: "accept", ["remoteUserId": JSONValue(peer)], now: now)
      guard let room = machine.session.room, machine.session.peer == peer else {
        return machine.complete(completion, .nothingToAccept)
      }
      guard machine.state == .calling, !machine.session.isCaller else {
        machine.complete(completion, .notCalling(machine.state))
        return machine.tell(.stateMismatch, now)
      }
      machine.acceptSession(peer, room: room, completion: completion, now: now)
    }
  }

  mutating func acceptSession(_ peer: UInt, room: String, completion: Int?, now: CallInstant) {
    session.isLocalAccepted = true
    var message = message(.accept)
    message.publicKey = session.keyPair?.publicKey
    let sent = send(message, to: peer, PendingSend(completion: completion, prefix: "accept fail: "), now)
    join(room, now: now)
    noteCost("acceptCall", now)
    setState(.connecting, .localAccepted, info: sent.info, now: now)
    tell(.localAccepted, now)
    checkConnected(.localAccepted, now: now)
  }

  /// Rejects the call that rings.
  public mutating func reject(_ peer: UInt, reason: String?, completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      machine.reportCall(of: "reject", ["remoteUserId": JSONValue(peer)], now: now)
      machine.end(.reject, peer, reason: reason, completion: completion, now: now)
    }
  }

  /// Ends a call.
  public mutating func hangUp(_ peer: UInt, reason: String?, completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      machine.reportCall(of: "hangup", ["remoteUserId": JSONValue(peer)], now: now)
      machine.end(.hangup, peer, reason: reason, completion: completion, now: now)
    }
  }

  /// Tells the other side by a `reject` or a `hangup`, and ends the own call if it is with that side. Somebody else hears
  /// nothing of the own call. `text` goes with the new state.
  mutating func end(
    _ action: CallAction, _ peer: UInt, reason: String?, text: String = "", completion: Int? = nil, now: CallInstant
  ) {
    let rejects = action == .reject
    var message = message(action)
    if rejects { message.rejectReason = reason } else { message.hangupReason = reason }
    if session.peer != peer { message.callID = "" }
    let pending = PendingSend(completion: completion, prefix: rejects ? "reject fail: " : "hangup fail: ")
    let sent = send(message, to: peer, pending, now)
    guard configuration != nil, session.peer == peer else { return }
    setState(.prepared, rejects ? .localRejected : .localHangup, text: text, info: sent.info, now: now)
    tell(rejects ? .localRejected : .localHangup, now)
  }

  /// Replaces the token for rooms, also that of a call under way.
  public mutating func renewToken(_ token: String, now: CallInstant) -> [CallEffect] {
    run { machine in
      machine.reportCall(of: "renewToken", now: now)
      guard machine.configuration != nil else { return machine.notify(.warning("renewToken before prepareForCall")) }
      machine.configuration?.rtcToken = token
      if let room = machine.joinedRoom { machine.effects.append(.renewToken(room: room, token: token)) }
    }
  }

  /// Ends everything; a call under way is cancelled or hung up. Nothing happens after it until `prepare`.
  public mutating func deinitialize(completion: Int?, now: CallInstant) -> [CallEffect] {
    run { machine in
      machine.reportCall(of: "deinitialize", now: now)
      switch machine.state {
      case .calling:
        if let peer = machine.session.peer {
          machine.send(machine.message(.cancelCall), to: peer, PendingSend(prefix: nil), now)
        }
        machine.setState(.prepared, .localCancelled, now: now)
        machine.tell(.localCancelled, now)
      case .connecting, .connected:
        if let peer = machine.session.peer {
          machine.send(machine.message(.hangup), to: peer, PendingSend(prefix: nil), now)
        }
      case .idle, .prepared, .failed: break
      }
      machine.setState(.idle, .none, now: now)
      machine.configuration = nil
      machine.tell(.deinitialize, now)
      machine.complete(completion, nil)
    }
  }

  mutating func complete(_ completion: Int?, _ error: CallError?) {
    if let completion { effects.append(.complete(id: completion, error)) }
  }
}
