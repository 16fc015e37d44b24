import ControlWire
import Dispatch
import Synchronization
import WebSocketIO

/// What the client's queue owns: the wish to be logged in, the present socket, and what waits for an answer.
final class SignalClientCore: @unchecked Sendable {
  // @unchecked: apart from `handlers` and `published`, everything is touched on `queue` only.

  typealias Completion = @Sendable (SignalError?) -> Void

  struct Published: Sendable {
    var uid: UInt?
    var state = SignalConnectionState.disconnected
  }

  let queue = DispatchQueue(label: "greenroom.signal")
  let handlers = SignalHandlers()
  let published = Mutex(Published())

  private struct Pending {
    var receiver: UInt
    var completion: Completion
  }

  private let url: String
  private let answerTimeout: DispatchTimeInterval
  private var uid: UInt?
  private var token = ""
  private var state = SignalConnectionState.disconnected
  private var socket: WebSocketClient?
  /// Counts sockets, so that late events of an old one are recognised.
  private var generation = 0
  private var loginCompletion: Completion?
  private var pending: [Int: Pending] = [:]
  private var requestCount = 0
  private var failureCount = 0
  /// The server's last message if it was an error about the connection itself: why the connection is closed next.
  private var complaint: SignalError?

  /// Most texts that may wait for an answer; below the number of messages that the server takes in a row.
  static let pendingLimit = 128

  init(url: String, answerTimeout: DispatchTimeInterval) {
    self.url = url
    self.answerTimeout = answerTimeout
  }

  func logIn(uid: UInt, token: String, _ completion: @escaping Completion) {
    logOut()
    guard ControlProtocol.isValidUID(uid) else { return completion(.invalidUID(uid)) }
    self.uid = uid
    self.token = token
    loginCompletion = completion
    set(.connecting, nil)
    connect()
  }

  func logOut() {
    guard uid != nil else { return }
    if state == .connected { send(SignalRequest.logout) }
    end(nil)
  }

  func send(_ message: String, to receiver: UInt, _ completion: @escaping Completion) {
    guard uid != nil else { return completion(.notLoggedIn) }
    if let error = SignalError(problemWith: message, to: receiver) { return completion(error) }
    guard state == .connected else { return completion(.connectionLost) }
    guard pending.count < Self.pendingLimit else { return completion(.tooManyPending(limit: Self.pendingLimit)) }
    requestCount += 1
    let id = requestCount
    pending[id] = Pending(receiver: receiver, completion: completion)
    send(SignalRequest.send(SendRequest(requestID: id, to: receiver, message: message)))
    queue.asyncAfter(deadline: .now() + answerTimeout) { [weak self] in
      self?.pending.removeValue(forKey: id)?.completion(.timedOut)
    }
  }

  private func send(_ request: SignalRequest) {
    if let text = try? ControlMessageCoding.encode(request) { socket?.send(text: text) }
  }

  private func connect() {
    generation += 1
    let generation = generation
    socket = WebSocketClient(url: url) { [weak self, queue] event in
      queue.async { [weak self] in self?.take(event, generation) }
    }
    // Twice: the socket has to be opened first, for which it has a limit of its own.
    queue.asyncAfter(deadline: .now() + answerTimeout + answerTimeout) { [weak self] in
      guard let self, generation == self.generation, state == .connecting || state == .reconnecting else { return }
      lose(.timedOut)
    }
  }

  private func take(_ event: WebSocketEvent, _ generation: Int) {
    guard generation == self.generation, let uid else { return }
    switch event {
    case .opened: send(SignalRequest.login(LoginRequest(uid: uid, token: token)))
    case .text(let text):
      complaint = nil
      if let response = try? ControlMessageCoding.decode(SignalResponse.self, from: text) { take(response) }
    case .closed: lose(complaint ?? .connectionLost)
    case .failed(let error): lose(.unreachable(message: error.description))
    }
  }

  private func take(_ response: SignalResponse) {
    switch response {
    case .loggedIn:
      failureCount = 0
      set(.connected, nil)
      loginCompletion.take()?(nil)
    case .delivered(let answer): pending.removeValue(forKey: answer.requestID)?.completion(nil)
    case .message(let message): handlers.call(.message(message.message, from: message.from))
    case .removed(let error): end(SignalError(error))
    case .error(let error): refused(error)
    }
  }

  private func refused(_ error: ErrorResponse) {
    if let id = error.requestID {
      guard let request = pending.removeValue(forKey: id) else { return }
      request.completion(error.code == .userOffline ? .userOffline(uid: request.receiver) : SignalError(error))
    } else if state == .connected {
      complaint = SignalError(error)
    } else {
      end(SignalError(error))
    }
  }

  /// The connection is gone or was never there: a first login fails, a later one is tried again.
  private func lose(_ error: SignalError) {
    if state == .connecting { return end(error) }
    generation += 1
    socket = nil
    complaint = nil
    if state != .reconnecting { set(.reconnecting, error) }
    failPending(.connectionLost)
    failureCount += 1
    // 0.2 s, doubling up to 6.4 s, with a random part so that not all clients of a server come back at once.
    let pause = 200 * (1 << min(failureCount - 1, 5))
    let generation = generation
    queue.asyncAfter(deadline: .now() + .milliseconds(pause / 2 + Int.random(in: 0...pause / 2))) { [weak self] in
      guard let self, generation == self.generation, uid != nil else { return }
      connect()
    }
  }

  private func end(_ cause: SignalError?) {
    generation += 1
    uid = nil
    socket = nil
    complaint = nil
    failureCount = 0
    // Before the completions, so that they find the client as it is now.
    set(.disconnected, cause)
    failPending(.notLoggedIn)
    loginCompletion.take()?(cause ?? .notLoggedIn)
  }

  private func failPending(_ error: SignalError) {
    let waiting = pending
    pending.removeAll()
    for (_, request) in waiting.sorted(by: { $0.key < $1.key }) { request.completion(error) }
  }

  private func set(_ new: SignalConnectionState, _ cause: SignalError?) {
    guard new != state || cause != nil else { return }
    state = new
    let snapshot = Published(uid: uid, state: new)
    published.withLock { $0 = snapshot }
    handlers.call(.connectionStateChanged(new, cause: cause))
  }
}
