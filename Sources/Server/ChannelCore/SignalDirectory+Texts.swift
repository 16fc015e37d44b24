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
      limitHoldings(now: now)
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
    guard let (session, client, last) = users[uid].map({ ($0.session, $0.client, $0.sequence) }) else {
      return Self.offline(uid)
    }
    guard session != nil else {
      guard let client else { return Self.offline(uid) }
      deliver(.message(message), to: client)
      answer(origin, nil, expiryTime: now + timeToLive, now: now)
      return nil
    }
    var message = message
    message.sequence = last + 1
    let text = HeldText(
      sequence: last + 1, message: message, expiryTime: now + timeToLive, hasBeenSent: client != nil, origin: origin)
    guard users[uid]?.held.hasRoom(for: text, configuration) == true else {
      return ErrorResponse(
        code: .resourceLimited, message: "Too many messages wait for user \(uid); try again later.")
    }
    users[uid]?.sequence = last + 1
    users[uid]?.held.append(text)
    noteHolding(of: uid)
    expect(text.expiryTime, of: uid, now: now)
    if let client { deliver(.message(message), to: client) }
    return nil
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
    limitHoldings(now: now)
  }

  mutating func confirm(_ request: ReceivedRequest, client: UInt64, now: MediaInstant) {
    guard let uid = uids[client] else { return refuseNotLoggedIn(client, nil) }
    confirm(upTo: request.sequence, uid: uid, now: now)
  }

  mutating func confirm(upTo sequence: Int, uid: UInt, now: MediaInstant) {
    let confirmed = users[uid]?.held.removeFirst(upTo: sequence) ?? []
    guard !confirmed.isEmpty else { return }
    noteHolding(of: uid)
    if users[uid]?.held.texts.isEmpty == true, users[uid]?.lossTime == nil { deadlines.set(uid, nil) }
    for text in confirmed { answer(text.origin, nil, expiryTime: text.expiryTime, now: now) }
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
          + "\(ReportRequest.maximumNameByteCount) bytes, \(ReportRequest.maximumNamesByteCount) together, and finite numbers.",
        client, request.requestID)
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
