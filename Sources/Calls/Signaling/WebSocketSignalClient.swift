import ControlWire
import Dispatch
import Synchronization
import WebSocketIO

/// Signalling through the channel server's WebSocket at `/v1/signal` (docs/protocol.md).
///
/// While logged in, a lost connection is made again by itself, with growing pauses. Texts that were waiting for an answer
/// then fail with `.connectionLost`: they may or may not have arrived.
///
/// The server takes 50 messages a second, after 200 in a row, fewer of long ones. It disconnects a client that sends more, which the cause of
/// the lost connection then says.
public final class WebSocketSignalClient: SignalClient {
  let core: SignalClientCore

  /// Makes a client that is logged out.
  ///
  /// - Parameter url: the server, as `ws://HOST:PORT` or `wss://HOST:PORT`.
  public convenience init(url: String) { self.init(url: url, answerTimeout: .seconds(5)) }

  init(url: String, answerTimeout: DispatchTimeInterval) {
    core = SignalClientCore(url: url + ControlProtocol.signalPath, answerTimeout: answerTimeout)
  }

  deinit {
    let core = core
    core.handlers.removeAll()
    core.queue.async { core.logOut() }
  }

  /// Who is logged in or wants to be.
  public var uid: UInt? { core.published.withLock { $0.uid } }

  /// Whether texts can be sent and received now.
  public var connectionState: SignalConnectionState { core.published.withLock { $0.state } }

  /// Logs in.
  public func login(uid: UInt, token: String = "", completion: @escaping @Sendable (SignalError?) -> Void) {
    core.queue.async { [core] in core.logIn(uid: uid, token: token, completion) }
  }

  /// Logs out.
  public func logout() { core.queue.async { [core] in core.logOut() } }

  /// Sends a text to a user.
  public func send(message: String, to uid: UInt, completion: @escaping @Sendable (SignalError?) -> Void) {
    core.queue.async { [core] in core.send(message, to: uid, completion) }
  }

  /// Has `handler` called with every event from now on.
  @discardableResult
  public func addHandler(_ handler: @escaping @Sendable (SignalEvent) -> Void) -> SignalHandlerID {
    core.handlers.add(handler)
  }

  /// Takes a handler off.
  public func removeHandler(_ id: SignalHandlerID) { core.handlers.remove(id) }
}
