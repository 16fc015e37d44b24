import ControlWire
import MediaBase

/// What a client of the server's signalling decides, without clock, socket or thread: the wish to be logged in, what waits
/// for an answer, and what has come already.
///
/// After each call take all effects with `pollEffect()`, and call `handleTimeout(now:)` at `nextTimeout`.
struct SignalClientCore {
  /// What the owner has to do.
  enum Effect: Equatable {
    /// Open a socket, in place of the present one.
    case connect
    /// Let the socket go.
    case disconnect
    case write(SignalRequest)
    case notify(SignalEvent)
    /// Call the completion that was given this number.
    case complete(Int, SignalError?)
  }

  struct Timing {
    /// How long a server may take to open a socket and then to answer a login, each.
    var answer = MediaDuration.milliseconds(5_000)
    /// How long a text is worth delivering, and waits for its answer, if its sender says nothing about it.
    var timeToLive = MediaDuration.milliseconds(15_000)
  }

  struct Pending {
    var request: PendingRequest
    var completion: Int
    var expiryTime: MediaInstant
  }

  enum PendingRequest {
    case text(String, to: UInt)
    case report(ReportRequest)
    case renewal
  }

  private(set) var uid: UInt?
  private(set) var state = SignalConnectionState.disconnected
  let timing: Timing
  var token = ""
  var pending: [Int: Pending] = [:]
  private var session = ""
  /// The number of the last text of this session.
  private var sequence = 0
  private var recent = RecentTexts()
  private var requestCount: Int
  private var loginCompletion: Int?
  private var failureCount = 0
  /// When a connection that is being made, or a pause, has lasted long enough.
  private var connectionDeadline: MediaInstant?
  private var isPausing = false
  /// The server's last message if it was an error about the connection itself: why the connection is closed next.
  private var complaint: SignalError?
  private var random: SeededRandom
  private let makeSession: () -> String
  private var effects: [Effect] = []
  private var effectIndex = 0

  /// Most messages that may wait for an answer; below the number of messages that the server takes in a row.
  static let pendingLimit = 128

  /// - Parameters:
  ///   - seed: for pauses, and for the first request's number, which nobody need be unable to guess.
  ///   - makeSession: returns 16 to 64 bytes that nobody can guess.
  init(timing: Timing, seed: UInt64, makeSession: @escaping () -> String) {
    self.timing = timing
    self.makeSession = makeSession
    random = SeededRandom(seed: seed)
    // Numbers stay exact in JavaScript. Receivers tell texts apart by them, over restarts of this program too.
    requestCount = Int.random(in: 1...(1 << 52), using: &random)
  }

  mutating func pollEffect() -> Effect? {
    guard effectIndex < effects.count else {
      effects.removeAll(keepingCapacity: true)
      effectIndex = 0
      return nil
    }
    defer { effectIndex += 1 }
    return effects[effectIndex]
  }

  var nextTimeout: MediaInstant? {
    MediaInstant.earliest(connectionDeadline, pending.values.lazy.map(\.expiryTime).min())
  }

  mutating func handleTimeout(now: MediaInstant) {
    for (id, request) in pending.sorted(by: { $0.key < $1.key }) where request.expiryTime <= now {
      pending[id] = nil
      emit(.complete(request.completion, state == .connected ? .timedOut : .connectionLost))
    }
    guard let deadline = connectionDeadline, deadline <= now else { return }
    connectionDeadline = nil
    if isPausing { connect(now: now) } else { lose(.timedOut, now: now) }
  }

  mutating func logIn(uid: UInt, token: String, completion: Int, now: MediaInstant) {
    logOut()
    guard ControlProtocol.isValidUID(uid) else { return emit(.complete(completion, .invalidUID(uid))) }
    self.uid = uid
    self.token = token
    session = makeSession()
    sequence = 0
    loginCompletion = completion
    set(.connecting, nil)
    connect(now: now)
  }

  mutating func logOut() {
    guard uid != nil else { return }
    if state == .connected { emit(.write(.logout)) }
    end(nil)
  }

  /// Sends a text now, or as soon as the connection is there again.
  mutating func send(
    _ message: String, to receiver: UInt, timeToLive: MediaDuration? = nil, completion: Int, now: MediaInstant
  ) {
    if let error = SignalError(problemWith: message, to: receiver), uid != nil {
      return emit(.complete(completion, error))
    }
    add(.text(message, to: receiver), timeToLive, completion, now: now)
  }

  /// The report's number is chosen here.
  mutating func report(_ report: ReportRequest, completion: Int, now: MediaInstant) {
    add(.report(report), nil, completion, now: now)
  }

  mutating func renewToken(_ token: String, completion: Int, now: MediaInstant) {
    if uid != nil { self.token = token }
    add(.renewal, nil, completion, now: now)
  }

  private mutating func add(
    _ request: PendingRequest, _ timeToLive: MediaDuration?, _ completion: Int, now: MediaInstant
  ) {
    guard uid != nil else { return emit(.complete(completion, .notLoggedIn)) }
    guard hasRoom(for: request) else { return emit(.complete(completion, .tooManyPending(limit: pending.count))) }
    requestCount += 1
    let life = min(timeToLive ?? timing.timeToLive, .milliseconds(Int64(SendRequest.maximumTimeToLive)))
    let entry = Pending(request: request, completion: completion, expiryTime: now + life)
    pending[requestCount] = entry
    if state == .connected { write(entry, id: requestCount, now: now) }
  }

  /// Whether one more message may wait. A text may if what is left free then is at least as much as what waits for its
  /// receiver: receivers that never confirm anything leave room for others. What goes to the server alone may take the rest.
  private func hasRoom(for request: PendingRequest) -> Bool {
    let freeCount = Self.pendingLimit - pending.count - 1
    guard case .text(_, let receiver) = request else { return freeCount >= 0 }
    let share = pending.values.count { if case .text(_, receiver) = $0.request { true } else { false } }
    return share + 1 <= freeCount
  }

  private mutating func write(_ entry: Pending, id: Int, now: MediaInstant) {
    switch entry.request {
    case .text(let message, let receiver):
      let left = Int((entry.expiryTime - now).milliseconds)
      guard left > 0 else { return }
      emit(
        .write(
          .send(
            SendRequest(
              requestID: id, to: receiver, message: message, timeToLive: left))))
    case .report(var report):
      report.requestID = id
      emit(.write(.report(report)))
    case .renewal: emit(.write(.renewToken(RenewTokenRequest(requestID: id, token: token))))
    }
  }

  private mutating func connect(now: MediaInstant) {
    isPausing = false
    // Twice: the socket has to be opened first, for which it has a limit of its own.
    connectionDeadline = now + timing.answer * 2
    emit(.connect)
  }

  // MARK: What the socket says

  mutating func opened() {
    guard let uid, state != .connected else { return }
    emit(.write(.login(LoginRequest(uid: uid, token: token, session: session, sequence: sequence))))
  }

  mutating func closed(now: MediaInstant) {
    guard uid != nil, !isPausing else { return }
    lose(complaint ?? .connectionLost, now: now)
  }

  mutating func failed(_ message: String, now: MediaInstant) {
    guard uid != nil, !isPausing else { return }
    lose(.unreachable(message: message), now: now)
  }

  mutating func receive(_ response: SignalResponse, now: MediaInstant) {
    guard uid != nil, !isPausing else { return }
    complaint = nil
    switch response {
    case .loggedIn: loggedIn(now: now)
    case .delivered(let answer), .updated(let answer): complete(answer.requestID, nil)
    case .message(let message): received(message)
    case .tokenWillExpire: emit(.notify(.tokenWillExpire))
    case .removed(let error): end(SignalError(error))
    case .error(let error): refused(error)
    }
  }

  private mutating func loggedIn(now: MediaInstant) {
    guard state != .connected else { return }
    failureCount = 0
    connectionDeadline = nil
    set(.connected, nil)
    if let completion = loginCompletion.take() { emit(.complete(completion, nil)) }
    // Whoever has got them already knows them again by their numbers.
    for (id, entry) in pending.sorted(by: { $0.key < $1.key }) { write(entry, id: id, now: now) }
  }

  private mutating func received(_ message: ReceivedMessage) {
    guard state == .connected else { return }
    var isNew = true
    if let number = message.sequence {
      isNew = number > sequence
      sequence = max(sequence, number)
    }
    if let id = message.messageID, !recent.insert(sender: message.from, id: id) { isNew = false }
    if isNew { emit(.notify(.message(message.message, from: message.from))) }
    // Only after it has been handed over.
    if message.sequence != nil { emit(.write(.received(ReceivedRequest(sequence: sequence)))) }
  }

  private mutating func refused(_ error: ErrorResponse) {
    if let id = error.requestID {
      guard case .text(_, let receiver)? = pending[id]?.request, error.code == .userOffline else {
        return complete(id, SignalError(error))
      }
      complete(id, .userOffline(uid: receiver))
    } else if state == .connected {
      complaint = SignalError(error)
    } else {
      end(SignalError(error))
    }
  }

  private mutating func complete(_ id: Int, _ error: SignalError?) {
    if let entry = pending.removeValue(forKey: id) { emit(.complete(entry.completion, error)) }
  }

  /// The connection is gone or was never there: a first login fails, a later one is tried again.
  private mutating func lose(_ error: SignalError, now: MediaInstant) {
    if state == .connecting { return end(error == .connectionLost ? .closedBeforeLogin : error) }
    complaint = nil
    emit(.disconnect)
    if state != .reconnecting { set(.reconnecting, error) }
    failureCount += 1
    // 0.2 s, doubling up to 6.4 s, with a random part so that not all clients of a server come back at once.
    let pause = Int64(200 * (1 << min(failureCount - 1, 5)))
    connectionDeadline = now + .milliseconds(pause / 2 + Int64.random(in: 0...pause / 2, using: &random))
    isPausing = true
  }

  private mutating func end(_ cause: SignalError?) {
    uid = nil
    complaint = nil
    failureCount = 0
    connectionDeadline = nil
    isPausing = false
    emit(.disconnect)
    // Before the completions, so that they find the client as it is now.
    set(.disconnected, cause)
    let waiting = pending
    pending.removeAll()
    for (_, entry) in waiting.sorted(by: { $0.key < $1.key }) { emit(.complete(entry.completion, .notLoggedIn)) }
    if let completion = loginCompletion.take() { emit(.complete(completion, cause ?? .notLoggedIn)) }
  }

  private mutating func set(_ new: SignalConnectionState, _ cause: SignalError?) {
    guard new != state || cause != nil else { return }
    state = new
    emit(.notify(.connectionStateChanged(new, cause: cause)))
  }

  private mutating func emit(_ effect: Effect) { effects.append(effect) }
}
