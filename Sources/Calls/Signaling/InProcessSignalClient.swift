import ControlWire
import Synchronization

/// One user of an `InProcessSignalHub`.
public final class InProcessSignalClient: SignalClient {
  private let hub: InProcessSignalHub
  private let handlers = SignalHandlers()
  private let state = Mutex<(uid: UInt?, connectionState: SignalConnectionState)>((nil, .disconnected))

  init(hub: InProcessSignalHub) { self.hub = hub }

  deinit {
    if let uid { hub.leave(ObjectIdentifier(self), uid: uid) }
  }

  /// Who is logged in.
  public var uid: UInt? { state.withLock { $0.uid } }

  /// Whether texts can be sent and received now.
  public var connectionState: SignalConnectionState { state.withLock { $0.connectionState } }

  /// Logs in; the token is not looked at.
  public func login(uid: UInt, token: String = "", completion: @escaping @Sendable (SignalError?) -> Void) {
    hub.post { [self] in
      leave()
      guard ControlProtocol.isValidUID(uid) else { return completion(.invalidUID(uid)) }
      set(uid, .connecting, nil)
      hub.enter(self, uid: uid)?.removed()
      set(uid, .connected, nil)
      completion(nil)
    }
  }

  /// Logs out.
  public func logout() { hub.post { [self] in leave() } }

  /// Sends a text; fails as the server would.
  public func send(message: String, to uid: UInt, completion: @escaping @Sendable (SignalError?) -> Void) {
    hub.post { [self] in
      guard let own = self.uid else { return completion(.notLoggedIn) }
      if let error = SignalError(problemWith: message, to: uid) { return completion(error) }
      completion(hub.relay(message, from: own, to: uid))
    }
  }

  /// Takes any token.
  public func renewToken(_ token: String, completion: @escaping @Sendable (SignalError?) -> Void) {
    hub.post { [self] in completion(uid == nil ? .notLoggedIn : nil) }
  }

  /// Has `handler` called with every event from now on.
  @discardableResult
  public func addHandler(_ handler: @escaping @Sendable (SignalEvent) -> Void) -> SignalHandlerID {
    handlers.add(handler)
  }

  /// Takes a handler off.
  public func removeHandler(_ id: SignalHandlerID) { handlers.remove(id) }

  func received(_ message: String, from: UInt, to uid: UInt) {
    // Logged out, or in as somebody else, since the text was sent.
    guard self.uid == uid else { return }
    handlers.call(.message(message, from: from))
  }

  private func removed() {
    set(
      nil, .disconnected,
      .refused(
        code: ControlErrorCode.sameUIDLogin.rawValue,
        message: "The same uid has logged in elsewhere; log out there first to log in here."))
  }

  private func leave() {
    guard let uid else { return }
    hub.leave(ObjectIdentifier(self), uid: uid)
    set(nil, .disconnected, nil)
  }

  private func set(_ uid: UInt?, _ connectionState: SignalConnectionState, _ cause: SignalError?) {
    state.withLock { $0 = (uid, connectionState) }
    handlers.call(.connectionStateChanged(connectionState, cause: cause))
  }
}
