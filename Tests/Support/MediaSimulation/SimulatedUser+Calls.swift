public import CallAPI
import ControlWire
import EngineCore
import MediaBase

extension SimulatedUser {
  /// Where the call stands.
  public var callState: CallState { machine.state }

  /// The key of the present call, if it is encrypted between the ends.
  public var callKeyText: String? {
    for case .key(let key) in callEncryptions.values { return key.text }
    return nil
  }

  /// Gets ready to call and to be called.
  public func prepare(
    room: String, timeoutMilliseconds: Int = 15_000, encryption: CallEncryptionPolicy = .off
  ) {
    let configuration = PrepareConfiguration(
      roomID: room, callTimeoutMilliseconds: timeoutMilliseconds, endToEndEncryption: encryption)
    calls { $0.prepare(configuration, completion: nil, now: $1) }
  }

  /// Calls a user.
  public func call(_ peer: UInt, type: CallType) {
    callCount += 1
    let id = "call-\(uid)-\(callCount)"
    let keyPair = makeKeyPair()
    calls { $0.call(peer, type: type, callID: id, makeKeyPair: { keyPair }, completion: nil, now: $1) }
  }

  /// Gives up a call.
  public func cancelCall() { calls { $0.cancelCall(completion: nil, now: $1) } }

  /// Accepts the call that rings.
  public func accept(_ peer: UInt) { calls { $0.accept(peer, completion: nil, now: $1) } }

  /// Rejects the call that rings.
  public func reject(_ peer: UInt) { calls { $0.reject(peer, reason: nil, completion: nil, now: $1) } }

  /// Ends the call.
  public func hangUp(_ peer: UInt) { calls { $0.hangUp(peer, reason: nil, completion: nil, now: $1) } }

  /// Ends calls for good and logs out of signalling.
  public func logOut() {
    calls { $0.deinitialize(completion: nil, now: $1) }
    send(.logout)
  }

  func logIn() {
    signalClient = world.nextClient()
    send(.login(LoginRequest(uid: uid)))
  }

  private func send(_ request: SignalRequest) {
    let time = signalUplink.arrival(now: world.now, deadUntil: deadUntil)
    world.timeline.schedule(.signalToServer(self, client: signalClient, request), at: time)
  }

  /// Lets the machine take a step and does what it wants.
  func calls(_ body: (inout CallStateMachine, CallInstant) -> [CallEffect]) {
    let milliseconds = 1_700_000_000_000 + world.now.nanoseconds / 1_000_000
    let effects = body(&machine, CallInstant(monotonic: world.now, wallMilliseconds: milliseconds))
    for effect in effects { carryOut(effect) }
  }

  private func carryOut(_ effect: CallEffect) {
    switch effect {
    case .send(let message, let peer, let id, let life):
      sentCallTexts.append(message.text)
      send(.send(SendRequest(requestID: id, to: peer, message: message.text, timeToLive: life)))
    case .encrypt(let room, let encryption):
      callEncryptions[room] = encryption
      if case .key(let key) = encryption { encrypt(room, key: key.text) }
    case .join(let room, _, let isVideo, _, let publishes):
      joinCall(room, isVideo: isVideo, publishes: publishes)
    case .publish(let room, let isVideo):
      let tracks = TrackFlags(audio: true, video: isVideo)
      update(
        room, publish: tracks, subscribe: callEncryptions[room] == nil ? nil : Subscription(everyone: tracks))
    case .leave(let room):
      callEncryptions[room] = nil
      leave(room)
      revealedPeer = nil
    case .reveal(_, let peer): revealedPeer = peer
    case .renewToken, .report, .complete: break
    case .startTimer(let milliseconds):
      callTimerGeneration += 1
      world.timeline.schedule(
        .callTimer(self, generation: callTimerGeneration), at: world.now + .milliseconds(Int64(milliseconds)))
    case .stopTimer: callTimerGeneration += 1
    case .notify(let notification): note(notification)
    }
  }

  private func joinCall(_ room: String, isVideo: Bool, publishes: Bool) {
    let usual = encryptionKey
    defer { encryptionKey = usual }
    if case .key(let key) = callEncryptions[room] { encryptionKey = key.text }
    join(
      room, profile: .communication, role: .broadcaster,
      publish: TrackFlags(audio: publishes, video: publishes && isVideo), receivesVideo: isVideo)
    if callEncryptions[room] == .awaited { update(room, subscribe: Subscription(everyone: .none)) }
  }

  private func note(_ notification: CallNotification) {
    switch notification {
    case .state(let state, let reason, _, _):
      callStates.append("\(state)/\(reason)")
      world.trace.add("\(uid) \(state)/\(reason)")
    case .error(let event, _, let code, let message): callErrors.append("\(event) \(code) \(message ?? "")")
    case .warning(let text): callErrors.append(text)
    case .event(let event, _): world.trace.add(UInt64(event.rawValue))
    case .connected, .disconnected: break
    }
  }

  func callTimerFired(_ generation: Int) {
    guard generation == callTimerGeneration else { return }
    calls { $0.timerFired(now: $1) }
  }

  /// The server says something on the signalling connection.
  func receive(_ response: SignalResponse, client: UInt64) {
    guard client == signalClient else { return }
    switch response {
    case .loggedIn: isLoggedIn = true
    case .delivered(let delivered): calls { $0.sendFinished(delivered.requestID, nil, now: $1) }
    case .message(let message):
      guard let call = try? CallMessage(text: message.message), call.fromUserID == message.from else {
        return callErrors.append("not a message of calls: \(message.message)")
      }
      let keyPair = makeKeyPair()
      calls { $0.receive(call, makeKeyPair: { keyPair }, now: $1) }
    case .error(let error), .removed(let error):
      let failure = CallError(
        code: error.code.rawValue, message: error.message, isUndelivered: error.code != .notConfirmed)
      if let id = error.requestID { calls { $0.sendFinished(id, failure, now: $1) } }
    case .updated, .tokenWillExpire: break
    }
  }

  /// Tells the machine what happens in a channel, later as the call queue does.
  func tellCall(_ event: ConnectionEvent, _ connection: SimulatedConnection) {
    guard connection.isCall, let event = CallStateMachine.ChannelEvent(event) else { return }
    world.timeline.schedule(.channelEvent(self, room: connection.channel, event), at: world.now)
  }
}

extension CallStateMachine.ChannelEvent {
  /// What the edges of calls make of a connection's events.
  fileprivate init?(_ event: ConnectionEvent) {
    switch event {
    case .joined: self = .joined
    case .left: self = .left
    case .error(let code, let message): self = .failed(code: code.rawValue, message: message)
    case .userJoined(let uid, _): self = .userJoined(uid)
    case .userOffline(let uid, let reason): self = .userLeft(uid, reason: reason.rawValue)
    case .remoteVideoState(let uid, .decoding, let reason, _):
      guard [.remoteUnmuted, .localUnmuted, .localMuted].contains(reason) else { return nil }
      self = .remoteVideo(uid)
    case .firstRemoteAudioPacket(let uid, _): self = .remoteAudio(uid)
    case .firstVideoPublished: self = .localVideoPublished
    case .firstAudioPublished: self = .localAudioPublished
    default: return nil
    }
  }
}
