import ControlWire
import MediaBase

extension SignalDirectory {
  /// Why a user goes.
  enum Departure {
    case loggedOut, lost, replaced
  }

  mutating func login(_ request: LoginRequest, client: UInt64, now: MediaInstant) {
    guard uids[client] == nil else {
      return refuse(.invalidState, "This connection is logged in already; open another to log in again.", client)
    }
    guard request.version == ControlProtocol.version else {
      return refuse(
        .unsupportedVersion,
        "The server speaks version \(ControlProtocol.version), not \(request.version); use a matching client.", client)
    }
    guard ControlProtocol.isValidUID(request.uid) else {
      return refuse(.invalidUID, "uid \(request.uid) is out of range; use 1 to 4294967295.", client)
    }
    if let session = request.session {
      guard LoginRequest.sessionByteCounts.contains(session.utf8.count) else {
        return refuse(.invalidArgument, "session must have 16 to 64 bytes that nobody can guess.", client)
      }
      guard LoginRequest.sequences.contains(request.sequence ?? 0) else {
        return refuse(.invalidArgument, "sequence must be 0 to 4503599627370496.", client)
      }
      if users[request.uid]?.session == session { return resume(request, client: client, now: now) }
    }
    remove(request.uid, why: .replaced, now: now)
    loginCount += 1
    users[request.uid] = SignalUser(
      login: loginCount, session: request.session, client: client, sequence: request.sequence ?? 0)
    uids[client] = request.uid
    deliver(
      .loggedIn(LoggedInResponse(uid: request.uid, resumed: request.session == nil ? nil : false)), to: client)
    claim(request.uid, now: now)
  }

  /// The same client is back on another connection: what it has not confirmed is sent again, in order.
  private mutating func resume(_ request: LoginRequest, client: UInt64, now: MediaInstant) {
    let uid = request.uid
    if let older = users[uid]?.client {
      // Most likely dead, though the server does not know yet.
      uids[older] = nil
      append(SignalDelivery(client: older, response: nil, closesAfter: true))
    }
    users[uid]?.client = client
    users[uid]?.lossTime = nil
    uids[client] = uid
    claim(uid, now: now)
    deliver(.loggedIn(LoggedInResponse(uid: uid, resumed: true)), to: client)
    confirm(upTo: request.sequence ?? 0, uid: uid, now: now)
    for text in users[uid]?.held.markSent(now: now) ?? [] { deliver(.message(text.message), to: client) }
  }

  /// Connection `client` has ended, whoever ended it.
  public mutating func clientClosed(_ client: UInt64, now: MediaInstant) {
    guard let uid = uids.removeValue(forKey: client) else { return }
    guard users[uid]?.session != nil, configuration.resumeWindow > .zero else {
      return remove(uid, why: .loggedOut, now: now)
    }
    users[uid]?.client = nil
    users[uid]?.lossTime = now
    expect(now + configuration.resumeWindow, of: uid, now: now)
  }

  /// Takes a user out; texts that wait for it come back to their senders.
  mutating func remove(_ uid: UInt, why: Departure, now: MediaInstant) {
    guard let user = users.removeValue(forKey: uid) else { return }
    deadlines.set(uid, nil)
    if let client = user.client {
      uids[client] = nil
      if why == .replaced {
        let error = ErrorResponse(
          code: .sameUIDLogin, message: "The same uid has logged in elsewhere; log out there first to log in here.")
        append(SignalDelivery(client: client, response: .removed(error), closesAfter: true))
      }
    }
    if why != .replaced { append(.loggedOut(uid: uid)) }
    noteHolding(of: uid)
    for text in user.held.texts { giveBack(text, of: uid, now: now) }
  }

  /// Tells a text's sender that it has surely not come, or that nobody knows.
  mutating func giveBack(_ text: HeldText, of uid: UInt, now: MediaInstant) {
    let error = text.hasBeenSent ? Self.notConfirmed(by: uid) : Self.offline(uid)
    answer(text.origin, error, expiryTime: text.expiryTime, now: now)
    if !text.hasBeenSent { append(.unreachable(message: text.message.message, from: text.message.from, to: uid)) }
  }

  /// Lets go of what has waited too long at a user.
  mutating func sweep(_ uid: UInt, now: MediaInstant) {
    let lossTime = users[uid]?.lossTime
    if let lossTime, now - lossTime >= configuration.resumeWindow { return remove(uid, why: .lost, now: now) }
    let expired = users[uid]?.held.removeExpired(now: now) ?? []
    noteHolding(of: uid)
    for text in expired { giveBack(text, of: uid, now: now) }
    let next = MediaInstant.earliest(lossTime.map { $0 + configuration.resumeWindow }, users[uid]?.held.nextExpiry)
    if let next { expect(next, of: uid, now: now) }
  }

  static func offline(_ uid: UInt) -> ErrorResponse {
    ErrorResponse(code: .userOffline, message: "User \(uid) is not logged in; try again later.")
  }

  static func notConfirmed(by uid: UInt) -> ErrorResponse {
    ErrorResponse(
      code: .notConfirmed, message: "User \(uid) has not confirmed the message in time; it may have come or not.")
  }
}
