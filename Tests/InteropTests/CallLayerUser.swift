import Dispatch
import MediaEngine
import Signaling
import Synchronization

@testable import CallAPI

/// User 5 with a `CallAPI` in Swift, with neither engine nor server; writes down what it is told and what it sends.
final class CallLayerUser: CallAPIListener, SignalClient {
  private struct State {
    var log: [String] = []
    var endings: [String] = []
    var open: [@Sendable (SignalError?) -> Void] = []
    var questions: [@Sendable (String?) -> Void] = []
    var ownCallID = ""
    var isInitialized = false
    var requestCount = 0
  }

  /// Milliseconds from burst to burst: some calls of one caller come too soon after each other.
  static let pace = 400

  private let api: CallAPI
  private let rooms: RoomsOnly
  private let queue = DispatchQueue(label: "callbacks")
  private let handlers = SignalHandlers()
  private let state = Mutex(State())

  init() {
    let rooms = RoomsOnly()
    self.rooms = rooms
    api = CallAPI(rtc: rooms, callbackQueue: queue) {
      let milliseconds = Int64(1_000 + Self.pace * rooms.burst.withLock { $0 })
      return CallInstant(monotonic: .zero + .milliseconds(milliseconds), wallMilliseconds: milliseconds)
    }
    rooms.onToken.withLock { onToken in onToken = { [weak self] in self?.note("joins with \($0)") } }
    api.addListener(self)
  }

  /// Lets everything happen at once; what has been told and sent, and how requests have ended, when all is over.
  func take(_ burst: [CallLayerAction]) async -> [String] {
    state.withLock { state in
      state.log.removeAll()
      state.endings.removeAll()
    }
    queue.suspend()
    for action in burst { take(action) }
    queue.resume()
    for _ in 0..<3 { await withCheckedContinuation { next in api.accept(remoteUserID: 0) { _ in next.resume() } } }
    rooms.burst.withLock { $0 += 1 }
    let summary = "state \(api.state.rawValue), call \(!api.callID.isEmpty), digits \(api.authenticationText != nil)"
    return state.withLock { $0.log + $0.endings + [summary] }
  }

  private func prepare(_ encryption: CallEncryptionPolicy, isFirstFrameWaitingDisabled: Bool, hasTokens: Bool) {
    let wasInitialized = state.withLock { state in
      defer { state.isInitialized = true }
      return state.isInitialized
    }
    if !wasInitialized { api.initialize(userID: 5, signalClient: self) }
    let desk: PrepareConfiguration.TokenProvider = { [weak self] room, uid, answer in
      self?.note("asked \(room) \(uid)")
      self?.state.withLock { $0.questions.append(answer) }
    }
    api.prepareForCall(
      PrepareConfiguration(
        roomID: "R5", tokenProvider: hasTokens ? desk : nil, callTimeoutMilliseconds: 0,
        isFirstFrameWaitingDisabled: isFirstFrameWaitingDisabled, endToEndEncryption: encryption),
      completion: ending("prepare"))
  }

  private func take(_ action: CallLayerAction) {
    switch action {
    case .prepare(let encryption, let isDisabled, let hasTokens):
      prepare(encryption, isFirstFrameWaitingDisabled: isDisabled, hasTokens: hasTokens)
    case .token(let token):
      let answer = state.withLock { $0.questions.isEmpty ? nil : $0.questions.removeFirst() }
      answer?(token == "failure" ? nil : token)
    case .call(let peer): api.call(remoteUserID: peer, completion: ending("call"))
    case .cancel: api.cancelCall(completion: ending("cancelCall"))
    case .accept(let peer): api.accept(remoteUserID: peer, completion: ending("accept"))
    case .reject(let peer): api.reject(remoteUserID: peer, reason: "no", completion: ending("reject"))
    case .hangUp(let peer): api.hangup(remoteUserID: peer, reason: "enough", completion: ending("hangup"))
    case .renewToken: api.renewToken("next")
    case .join(let room): rooms.applicationJoins(room)
    case .deinitialize:
      state.withLock { $0.isInitialized = false }
      api.deinitialize(completion: ending("deinitialize"))
    case .text(let text, let from):
      let ownCallID = state.withLock { $0.ownCallID }
      handlers.call(.message(text.replacing("$own", with: ownCallID), from: from))
    case .sent(let isDelivered):
      let answer = state.withLock { $0.open.isEmpty ? nil : $0.open.removeFirst() }
      answer?(isDelivered ? nil : .refused(code: 1_404, message: "Nobody is there."))
    }
  }

  private func ending(_ name: String) -> CallAPI.Completion {
    let number = state.withLock { state in
      state.requestCount += 1
      return state.requestCount
    }
    return { [weak self] error in
      self?.state.withLock {
        $0.endings.append("\(number) \(name): " + (error.map { "\($0.code) \($0.message)" } ?? "done"))
      }
    }
  }

  private func note(_ line: String) { state.withLock { $0.log.append(line) } }

  // MARK: SignalClient

  var uid: UInt? { 5 }
  var connectionState: SignalConnectionState { .connected }
  func login(uid: UInt, token: String, completion: @escaping @Sendable (SignalError?) -> Void) { completion(nil) }
  func renewToken(_ token: String, completion: @escaping @Sendable (SignalError?) -> Void) { completion(nil) }
  func logout() {}
  func addHandler(_ handler: @escaping @Sendable (SignalEvent) -> Void) -> SignalHandlerID { handlers.add(handler) }
  func removeHandler(_ id: SignalHandlerID) { handlers.remove(id) }

  func send(message text: String, to uid: UInt, completion: @escaping @Sendable (SignalError?) -> Void) {
    guard let message = try? CallMessage(text: text) else { return }
    note("send \(message.action.rawValue) to \(uid), key \(message.publicKey != nil)")
    state.withLock { state in
      state.open.append(completion)
      if message.action == .videoCall { state.ownCallID = message.callID }
    }
  }

  // MARK: CallAPIListener

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) { note("state \(state.rawValue) \(stateReason.rawValue) \(eventReason)") }

  func onCallEventChanged(event: CallEvent, eventReason: String?) {
    // Leaving takes its time in both.
    if event != .localLeft { note("event \(event.rawValue)") }
  }

  func onCallError(errorEvent: CallErrorEvent, errorType: CallErrorCodeType, errorCode: Int, message: String?) {
    note("error \(errorEvent.rawValue) \(errorType.rawValue) \(errorCode) \(message ?? "")")
  }

  func onCallConnected(roomID: String, callUserID: UInt, currentUserID: UInt, timestamp: Int64) {
    note("connected \(roomID) \(callUserID) \(currentUserID)")
  }

  func onCallDisconnected(roomID: String, hangupUserID: UInt, currentUserID: UInt, timestamp: Int64, duration: Int64) {
    note("disconnected \(roomID) \(hangupUserID) \(currentUserID)")
  }

  func callDebugInfo(message: String, logLevel: CallLogLevel) { note("debug \(message)") }
}

/// Channels in which nothing happens. The application is in one of its own, "elsewhere".
private final class RoomsOnly: CallRTC {
  let onToken = Mutex<@Sendable (String) -> Void>({ _ in })
  /// The number of the present burst.
  let burst = Mutex(0)
  private let state = Mutex(State())

  private struct State {
    var applications: Set<String> = ["elsewhere"]
    /// Channels of calls that give way, and whom to tell.
    var givingWay: [String: @Sendable (CallStateMachine.ChannelEvent) -> Void] = [:]
  }

  /// The application joins a channel itself.
  func applicationJoins(_ room: String) {
    let onEvent = state.withLock { state in
      state.applications.insert(room)
      return state.givingWay.removeValue(forKey: room)
    }
    onEvent?(.taken)
  }

  func isElsewhere(_ room: String, uid: UInt) -> Bool { state.withLock { $0.applications.contains(room) } }

  func join(
    _ room: String, token: String, uid: UInt, peer: UInt, isVideo: Bool, publishes: Bool, givesWay: Bool,
    localView: VideoCanvas.Target?,
    onEvent: @escaping @Sendable (CallStateMachine.ChannelEvent) -> Void, onTokenExpiry: @escaping @Sendable () -> Void
  ) -> Int {
    let isFree = state.withLock { state in
      guard !state.applications.contains(room) else { return false }
      if givesWay { state.givingWay[room] = onEvent }
      return true
    }
    guard isFree else { return -EngineErrorCode.joinRejected.rawValue }
    if !token.isEmpty { onToken.withLock { $0 }(token) }
    return 0
  }
  func encrypt(_ room: String, uid: UInt, _ encryption: CallMediaEncryption) {}
  func publish(_ room: String, uid: UInt, isVideo: Bool) {}
  func reveal(_ room: String, uid: UInt, peer: UInt, remoteView: VideoCanvas.Target?) {}
  func renewToken(_ room: String, uid: UInt, token: String) {}
  func leave(_ room: String, uid: UInt) { state.withLock { $0.givingWay[room] = nil } }
}
