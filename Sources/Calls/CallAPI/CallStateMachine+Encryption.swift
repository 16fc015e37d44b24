import MediaEngine

/// Encryption between the ends: what both sides say of it, and what follows.
extension CallStateMachine {
  private var policy: CallEncryptionPolicy { configuration?.endToEndEncryption ?? .off }

  /// Whether the local user has agreed, and the channel is what it is to be.
  var mayPublish: Bool { session.isLocalAccepted && session.encryption != .awaited }

  /// Begins an outgoing call; false if it must be encrypted and cannot be.
  mutating func offerEncryption(_ makeKeyPair: () -> CallKeyPair?) -> Bool {
    guard policy != .off else { return true }
    session.keyPair = makeKeyPair()
    guard session.keyPair != nil else { return policy != .required }
    session.encryption = .awaited
    return true
  }

  /// What an incoming call offers, taken up as far as this side wants it; false if the call must not be. `room` and
  /// `callID` are those of the call, which is the session already.
  mutating func takeOffer(_ message: CallMessage, _ makeKeyPair: () -> CallKeyPair?) -> Bool {
    guard policy != .off else { return true }
    if let publicKey = message.publicKey, let keyPair = makeKeyPair(), agree(keyPair, publicKey) { return true }
    guard policy != .required else { return false }
    notify(.warning("the other side calls without encryption between the ends"))
    return true
  }

  /// What the acceptance of an outgoing call says; false if the call must not be.
  mutating func takeAnswer(_ message: CallMessage) -> Bool {
    guard session.encryption == .awaited else { return true }
    if let publicKey = message.publicKey, let keyPair = session.keyPair, agree(keyPair, publicKey) { return true }
    session.encryption = .none
    guard policy != .required else { return false }
    notify(.warning("the other side accepts without encryption between the ends"))
    return true
  }

  private mutating func agree(_ keyPair: CallKeyPair, _ publicKey: [UInt8]) -> Bool {
    guard let peer = session.peer, let room = session.room,
      let keys = CallKeys(
        own: keyPair, peerPublicKey: publicKey, isCaller: session.isCaller, userID: userID, peer: peer,
        callID: session.callID, room: room)
    else { return false }
    session.keyPair = keyPair
    session.encryption = .key(keys.media)
    session.authenticationText = keys.authenticationText
    return true
  }

  /// Has the channel encrypted as the call is, if that is not so.
  mutating func tellEncryption(of room: String) {
    let told = joinedRoom == room ? joinedEncryption : .none
    if told != session.encryption { effects.append(.encrypt(room: room, session.encryption)) }
    joinedEncryption = session.encryption
  }

  /// A call comes that cannot be encrypted and has to be: no user is asked.
  mutating func rejectForEncryption(_ call: CallMessage, _ now: CallInstant) {
    if rejectUnasked(call, CallMessage.encryptionReason, now) { tellNotEncrypted() }
  }

  /// The call that was to go out cannot be encrypted.
  mutating func hangUpForEncryption(_ now: CallInstant) {
    guard let peer = session.peer else { return }
    var message = message(.hangup)
    message.hangupReason = CallMessage.encryptionReason
    let sent = send(message, to: peer, PendingSend(prefix: "hangup fail: "), now)
    tellNotEncrypted()
    setState(.prepared, .localHangup, text: CallMessage.encryptionReason, info: sent.info, now: now)
    tell(.localHangup, now)
  }

  private mutating func tellNotEncrypted() {
    let error = CallError.notEncrypted
    notify(.error(.normalError, .normal, code: error.code, message: error.message))
  }
}
