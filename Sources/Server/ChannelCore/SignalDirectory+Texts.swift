public import ControlWire
public import MediaBase

extension SignalDirectory {
  mutating func relay(_ request: SendRequest, client: UInt64, now: MediaInstant) {
    guard let uid = uids[client], let user = users[uid] else { return refuseNotLoggedIn(client, request.requestID) }
    guard ControlProtocol.isValidUID(request.to) else {
      return refuse(.invalidUID, "to is \(request.to), but must be 1 to 4294967295.", client, request.requestID)
    }
    if let error = Self.problem(with: request) {
      return refuse(.invalidArgument, error, client, request.requestID)
    }
    if user.session != nil {
      if let highest = user.highestRequestID, request.requestID <= highest {
        // Taken already. Without an answer so far it will get one.
        return repeatAnswer(to: request.requestID, user, client)
      }
      users[uid]?.highestRequestID = request.requestID
    }
    let timeToLive = MediaDuration.milliseconds(Int64(request.timeToLive ?? SendRequest.defaultTimeToLive))
    let message = ReceivedMessage(
      from: uid, message: request.message, messageID: user.session == nil ? nil : request.requestID)
    let origin = SignalOrigin.user(uid: uid, login: user.login, requestID: request.requestID)
    if users[request.to] == nil, configuration.isClustered {
      append(.relayed(message: request.message, from: uid, to: request.to))
      return relayElsewhere(message, to: request.to, origin: origin, timeToLive: timeToLive, now: now)
    }
    if let error = hold(message, to: request.to, origin: origin, timeToLive: timeToLive, now: now) {
      answer(origin, error, expiryTime: now + timeToLive, now: now)
      if error.code == .userOffline { append(.unreachable(message: request.message, from: uid, to: request.to)) }
    } else {
      append(.relayed(message: request.message, from: uid, to: request.to))
    }
  }

  private static func problem(with request: SendRequest) -> String? {
    if request.message.utf8.count > SendRequest.maximumMessageByteCount {
      return "The message is longer than \(SendRequest.maximumMessageByteCount) bytes; shorten it."
    }
    if request.message.utf8.contains(0) { return "The message has a character U+0000 in it; take it out." }
    if let timeToLive = request.timeToLive, !(1...SendRequest.maximumTimeToLive).contains(timeToLive) {
      return "timeToLive is \(timeToLive), but must be 1 to \(SendRequest.maximumTimeToLive) milliseconds."
    }
    return nil
  }

  /// Gives a text to a user's connection, and keeps it until that is confirmed. Returns why it cannot.
  mutating func hold(
    _ message: ReceivedMessage, to uid: UInt, origin: SignalOrigin, timeToLive: MediaDuration, now: MediaInstant
  ) -> ErrorResponse? {
    guard let user = users[uid] else { return Self.offline(uid) }
    guard user.session != nil else {
      guard let client = user.client else { return Self.offline(uid) }
      deliver(.message(message), to: client)
      answer(origin, nil, expiryTime: now + timeToLive, now: now)
      return nil
    }
    guard hasRoom(for: message, origin, in: user.held) else {
      return ErrorResponse(
        code: .resourceLimited, message: "Too many messages wait for user \(uid); try again later.")
    }
    var message = message
    message.sequence = user.sequence + 1
    let expiryTime = now + timeToLive
    users[uid]?.sequence += 1
    users[uid]?.held.append(
      HeldText(
        sequence: user.sequence + 1, message: message, expiryTime: expiryTime, hasBeenSent: user.client != nil,
        origin: origin))
    expect(expiryTime, of: uid, now: now)
    if let client = user.client { deliver(.message(message), to: client) }
    return nil
  }

  /// Whether one more text may wait. It may if what is left free then is at least as much as what waits from its sender: one
  /// sender gets half of the places, two a third each, and so on, so that a crowd of senders leaves room for one more.
  /// What the server itself says may take the rest.
  private func hasRoom(for message: ReceivedMessage, _ origin: SignalOrigin, in held: [HeldText]) -> Bool {
    let byteCount = message.message.utf8.count
    var (sendersCount, sendersByteCount) = (1, byteCount)
    var freeCount = configuration.maximumHeldCount - 1
    var freeByteCount = configuration.maximumHeldByteCount - byteCount
    for text in held {
      let byteCount = text.message.message.utf8.count
      freeCount -= 1
      freeByteCount -= byteCount
      guard text.origin != .nobody, text.message.from == message.from else { continue }
      sendersCount += 1
      sendersByteCount += byteCount
    }
    guard origin != .nobody else { return freeCount >= 0 && freeByteCount >= 0 }
    return sendersCount <= freeCount && sendersByteCount <= freeByteCount
  }

  /// A text that the server itself has to say, in the name of `from`. Dropped if `to` is not logged in.
  public mutating func send(
    _ message: String, from: UInt, to: UInt, timeToLive: MediaDuration, now: MediaInstant
  ) {
    let message = ReceivedMessage(from: from, message: message)
    if users[to] == nil, configuration.isClustered {
      return relayElsewhere(message, to: to, origin: .nobody, timeToLive: timeToLive, now: now)
    }
    _ = hold(message, to: to, origin: .nobody, timeToLive: timeToLive, now: now)
  }

  mutating func confirm(_ request: ReceivedRequest, client: UInt64, now: MediaInstant) {
    guard let uid = uids[client] else { return refuseNotLoggedIn(client, nil) }
    confirm(upTo: request.sequence, uid: uid, now: now)
  }

  mutating func confirm(upTo sequence: Int, uid: UInt, now: MediaInstant) {
    guard let held = users[uid]?.held, let first = held.first, first.sequence <= sequence else { return }
    let count = held.prefix { $0.sequence <= sequence }.count
    users[uid]?.held.removeFirst(count)
    if count == held.count, users[uid]?.lossTime == nil { deadlines.set(uid, nil) }
    for text in held.prefix(count) { answer(text.origin, nil, expiryTime: text.expiryTime, now: now) }
  }

  /// Tells who waits for it what has become of a text.
  mutating func answer(
    _ origin: SignalOrigin, _ error: ErrorResponse?, expiryTime: MediaInstant, now: MediaInstant
  ) {
    switch origin {
    case .nobody: break
    case .remote(let server, let number): append(.remoteAnswer(server: server, number: number, error: error))
    case .user(let uid, let login, let requestID):
      guard let user = users[uid], user.login == login else { return }
      var error = error
      error?.requestID = requestID
      if user.session != nil {
        users[uid]?.remember(
          SignalUser.Answer(requestID: requestID, error: error, expiryTime: expiryTime), now: now)
      }
      if let client = user.client { deliver(Self.response(requestID, error), to: client) }
    }
  }

  private mutating func repeatAnswer(to requestID: Int, _ user: SignalUser, _ client: UInt64) {
    guard let known = user.answers.last(where: { $0.requestID == requestID }) else { return }
    deliver(Self.response(requestID, known.error), to: client)
  }

  private static func response(_ requestID: Int, _ error: ErrorResponse?) -> SignalResponse {
    error.map { .error($0) } ?? .delivered(UpdatedResponse(requestID: requestID))
  }

  mutating func report(_ request: ReportRequest, client: UInt64) {
    guard let uid = uids[client] else { return refuseNotLoggedIn(client, request.requestID) }
    guard request.isValid else {
      return refuse(
        .invalidArgument,
        "The report needs a callId, at most \(ReportRequest.maximumEntryCount) costs and qualities with names of at most "
          + "\(ReportRequest.maximumNameByteCount) bytes, and finite numbers.", client, request.requestID)
    }
    append(.report(request, from: uid, client: client))
  }

  /// Answers a report: `nil` if it has been taken.
  public mutating func answerReport(_ requestID: Int, client: UInt64, error: ErrorResponse?) {
    guard uids[client] != nil else { return }
    var error = error
    error?.requestID = requestID
    deliver(error.map { .error($0) } ?? .updated(UpdatedResponse(requestID: requestID)), to: client)
  }
}
