import MediaEngine

@testable import CallAPI

/// What users do.
extension CallBench {
  /// Prepares everybody, each with room R1, R2, …; forgets the log of it.
  static func prepared(
    users: Int = 2, timeout: Int = 15_000, seed: UInt64 = 1, isFirstFrameWaitingDisabled: Bool = false
  ) -> CallBench {
    var bench = CallBench(users: users, seed: seed)
    for uid in 1...UInt(users) {
      bench.prepare(uid, timeout: timeout, isFirstFrameWaitingDisabled: isFirstFrameWaitingDisabled)
    }
    bench.clear()
    return bench
  }

  mutating func prepare(
    _ uid: UInt, timeout: Int = 15_000, token: String = "", userExtension: [String: JSONValue]? = nil,
    isFirstFrameWaitingDisabled: Bool = false, encryption: CallEncryptionPolicy = .off, absence: Int = 0,
    room: String? = nil
  ) {
    let done = completion(uid, "prepare")
    let configuration = PrepareConfiguration(
      roomID: room ?? "R\(uid)", rtcToken: token, callTimeoutMilliseconds: timeout, userExtension: userExtension,
      isFirstFrameWaitingDisabled: isFirstFrameWaitingDisabled, endToEndEncryption: encryption,
      peerAbsenceTimeoutMilliseconds: absence)
    step(uid) { $0.prepare(configuration, completion: done, now: $1) }
  }

  mutating func call(_ uid: UInt, _ peer: UInt, _ type: CallType = .video, callExtension: [String: JSONValue] = [:]) {
    let done = completion(uid, "call")
    let (callID, keyPair) = (newCallID(), nextKeyPair())
    if state(uid) == .prepared { self[uid].watch.agreed = type }
    step(uid) {
      $0.call(
        peer, type: type, callExtension: callExtension, callID: callID, freshRoomID: "fresh-\(callID)",
        makeKeyPair: { keyPair }, completion: done, now: $1)
    }
  }

  mutating func accept(_ uid: UInt, _ peer: UInt) {
    let done = completion(uid, "accept")
    let session = self[uid].machine.session
    if session.peer == peer, !session.isCaller { self[uid].watch.agreed = session.type }
    step(uid) { $0.accept(peer, completion: done, now: $1) }
  }

  mutating func cancel(_ uid: UInt) {
    let done = completion(uid, "cancel")
    step(uid) { $0.cancelCall(completion: done, now: $1) }
  }

  mutating func reject(_ uid: UInt, _ peer: UInt, reason: String? = nil) {
    let done = completion(uid, "reject")
    step(uid) { $0.reject(peer, reason: reason, completion: done, now: $1) }
  }

  mutating func hangUp(_ uid: UInt, _ peer: UInt, reason: String? = nil) {
    let done = completion(uid, "hangup")
    step(uid) { $0.hangUp(peer, reason: reason, completion: done, now: $1) }
  }

  mutating func deinitialize(_ uid: UInt) {
    let done = completion(uid, "deinitialize")
    step(uid) { $0.deinitialize(completion: done, now: $1) }
  }

  /// 1 calls 2, which accepts after 100 ms; both are connected then. Forgets the log of it.
  static func connected(users: Int = 2, _ type: CallType = .video) -> CallBench {
    var bench = prepared(users: users)
    bench.call(1, 2, type)
    bench.run(milliseconds: 100)
    bench.accept(2, 1)
    bench.run(milliseconds: 400)
    bench.clear()
    return bench
  }
}
