import Dispatch
import Signaling
import Synchronization

/// Calls over a chat service that an application has anyway, by the library of that service.
final class ChatSignalClient: SignalClient, ChatListener {
  private struct State {
    var uid: UInt?
    var connectionState = SignalConnectionState.disconnected
    /// Counts logins, so that the end of one that was overtaken is recognised.
    var loginCount = 0
  }

  private let chat: ChatLibrary
  private let queue = DispatchQueue(label: "chat-signal")
  private let handlers = SignalHandlers()
  private let state = Mutex(State())

  init(service: ChatService) {
    chat = ChatLibrary(service: service, callbackQueue: queue)
    chat.setListener(self)
  }

  deinit { chat.logOut() }

  var uid: UInt? { state.withLock { $0.uid } }
  var connectionState: SignalConnectionState { state.withLock { $0.connectionState } }

  // MARK: Login, logout, token

  func login(uid: UInt, token: String, completion: @escaping @Sendable (SignalError?) -> Void) {
    queue.async { [self] in
      leave(cause: nil)
      guard (1...4_294_967_295).contains(uid) else { return completion(.invalidUID(uid)) }
      let login = state.withLock { state in
        state.loginCount += 1
        return state.loginCount
      }
      set(uid, .connecting, cause: nil)
      // The service knows users by names.
      chat.logIn(name: String(uid), token: token) { [self] error in
        guard state.withLock({ $0.loginCount == login && $0.uid != nil }) else { return completion(.notLoggedIn) }
        if let error {
          let cause = SignalError.refused(code: error.code, message: error.message)
          set(nil, .disconnected, cause: cause)
          return completion(cause)
        }
        set(uid, .connected, cause: nil)
        completion(nil)
      }
    }
  }

  func logout() { queue.async { [self] in leave(cause: nil) } }

  func renewToken(_ token: String, completion: @escaping @Sendable (SignalError?) -> Void) {
    queue.async { [self] in
      guard uid != nil else { return completion(.notLoggedIn) }
      chat.renewToken(token) { error in
        completion(error.map { .refused(code: $0.code, message: $0.message) })
      }
    }
  }

  private func leave(cause: SignalError?) {
    guard uid != nil else { return }
    chat.logOut()
    set(nil, .disconnected, cause: cause)
  }

  // MARK: Texts

  func send(message: String, to uid: UInt, completion: @escaping @Sendable (SignalError?) -> Void) {
    queue.async { [self] in
      guard self.uid != nil else { return completion(.notLoggedIn) }
      if let error = SignalError.problem(with: message, to: uid) { return completion(error) }
      // Only to whoever is online: a call that is shown hours later helps nobody.
      chat.send(message, to: String(uid), onlineOnly: true) { error in
        switch error?.code {
        case nil: completion(nil)
        case ChatError.receiverOffline: completion(.userOffline(uid: uid))
        case ChatError.notConnected: completion(.connectionLost)
        default: completion(error.map { .refused(code: $0.code, message: $0.message) })
        }
      }
    }
  }

  @discardableResult
  func addHandler(_ handler: @escaping @Sendable (SignalEvent) -> Void) -> SignalHandlerID { handlers.add(handler) }
  func removeHandler(_ id: SignalHandlerID) { handlers.remove(id) }

  // MARK: What the library reports, on `queue`

  func chatReceived(_ text: String, from name: String) {
    guard uid != nil, let sender = UInt(name) else { return }
    handlers.call(.message(text, from: sender))
  }

  func chatDisconnected() {
    if connectionState == .connected { set(uid, .reconnecting, cause: .connectionLost) }
  }

  func chatConnected() {
    if connectionState == .reconnecting { set(uid, .connected, cause: nil) }
  }

  func chatTokenWillExpire() { handlers.call(.tokenWillExpire) }

  func chatRemoved(_ error: ChatError) {
    guard uid != nil else { return }
    set(nil, .disconnected, cause: .refused(code: error.code, message: error.message))
  }

  private func set(_ uid: UInt?, _ connectionState: SignalConnectionState, cause: SignalError?) {
    state.withLock { state in
      state.uid = uid
      state.connectionState = connectionState
    }
    handlers.call(.connectionStateChanged(connectionState, cause: cause))
  }
}
