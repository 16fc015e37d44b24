public import ControlWire
import Dispatch
import MediaBase
import Synchronization
import WebSocketIO

/// Signalling through the channel server's WebSocket at `/v1/signal` (docs/protocol.md, docs/signalling.md).
///
/// While logged in, a lost connection is made again by itself, with growing pauses, and the login goes on: texts without an
/// answer are sent again, and those that came meanwhile are handed on, each once and in order. A text that has no answer
/// after 15 s (or the time that its sender gives it) fails, with `.connectionLost` while there is no connection and with `.timedOut` otherwise, and is not
/// delivered later.
///
/// The server takes 50 messages a second, after 200 in a row, fewer of long ones. It disconnects a client that sends more,
/// which the cause of the lost connection then says.
public final class WebSocketSignalClient: SignalClient, CallReporting {
  let driver: SignalClientDriver

  /// Makes a client that is logged out.
  ///
  /// - Parameters:
  ///   - url: the server, as `ws://HOST:PORT` or `wss://HOST:PORT`.
  ///   - trustedCertificates: a file of certificates in PEM that a `wss` server's has to be signed by; nil for those that
  ///     the system trusts.
  public convenience init(url: String, trustedCertificates: String? = nil) {
    self.init(url: url, trustedCertificates: trustedCertificates, timing: SignalClientCore.Timing())
  }

  init(url: String, trustedCertificates: String? = nil, timing: SignalClientCore.Timing) {
    driver = SignalClientDriver(
      url: url + ControlProtocol.signalPath, trustedCertificates: trustedCertificates, timing: timing)
  }

  deinit {
    let driver = driver
    driver.handlers.removeAll()
    driver.queue.async { driver.logOut() }
  }

  /// Who is logged in or wants to be.
  public var uid: UInt? { driver.published.withLock { $0.uid } }

  /// Whether texts can be sent and received now.
  public var connectionState: SignalConnectionState { driver.published.withLock { $0.state } }

  /// Logs in.
  public func login(uid: UInt, token: String = "", completion: @escaping @Sendable (SignalError?) -> Void) {
    driver.queue.async { [driver] in driver.logIn(uid: uid, token: token, completion) }
  }

  /// Logs out.
  public func logout() { driver.queue.async { [driver] in driver.logOut() } }

  /// Sends a text to a user.
  public func send(message: String, to uid: UInt, completion: @escaping @Sendable (SignalError?) -> Void) {
    send(message: message, to: uid, timeToLiveMilliseconds: nil, completion: completion)
  }

  /// Sends a text that is not delivered later than after `timeToLiveMilliseconds`, and fails then; 15 s if that is `nil`.
  public func send(
    message: String, to uid: UInt, timeToLiveMilliseconds: Int?,
    completion: @escaping @Sendable (SignalError?) -> Void
  ) {
    driver.queue.async { [driver] in driver.send(message, to: uid, timeToLiveMilliseconds, completion) }
  }

  /// Goes on with another token; used for later logins too.
  public func renewToken(_ token: String, completion: @escaping @Sendable (SignalError?) -> Void) {
    driver.queue.async { [driver] in driver.renewToken(token, completion) }
  }

  /// Reports on a call of this user.
  public func report(_ report: ReportRequest, completion: @escaping @Sendable (SignalError?) -> Void) {
    driver.queue.async { [driver] in driver.report(report, completion) }
  }

  /// Has `handler` called with every event from now on.
  @discardableResult
  public func addHandler(_ handler: @escaping @Sendable (SignalEvent) -> Void) -> SignalHandlerID {
    driver.handlers.add(handler)
  }

  /// Takes a handler off.
  public func removeHandler(_ id: SignalHandlerID) { driver.handlers.remove(id) }
}
