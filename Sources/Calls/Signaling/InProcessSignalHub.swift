import ControlWire
import Dispatch
import Synchronization

/// Signalling between clients of one process, without a server: for tests, and for programs that hold all users of a call.
///
/// It follows the server's rules: a later login with the same uid removes the earlier one; a text to a user who is not
/// logged in fails with `.userOffline`.
public final class InProcessSignalHub: Sendable {
  /// What becomes of a text, for tests of the unhappy ways.
  public enum Fate: Hashable, Sendable {
    /// Handed over; the sender gets `nil`.
    case delivered
    /// Lost after the sender got `nil`.
    case lost
    /// Not handed over; the sender gets the error.
    case failed(SignalError)
  }

  private struct Entry {
    /// Tells who it is even while the client is being freed.
    let id: ObjectIdentifier
    weak var client: InProcessSignalClient?
  }

  private struct State {
    var clients: [UInt: Entry] = [:]
    var fate: (@Sendable (_ message: String, _ from: UInt, _ to: UInt) -> Fate)?
  }

  private let state = Mutex(State())
  let post: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Makes a hub without users.
  ///
  /// - Parameter post: runs closures later, one after another in order: all completions and handlers of all clients. The
  ///   default is a serial queue of the hub's.
  public init(post: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil) {
    let queue = DispatchQueue(label: "signal-hub")
    self.post = post ?? { body in queue.async(execute: body) }
  }

  /// A client of this hub, logged out.
  public func makeClient() -> InProcessSignalClient { InProcessSignalClient(hub: self) }

  /// Has `fate` decide what becomes of every text to a user who is logged in; `nil` to deliver all.
  public func setFate(_ fate: (@Sendable (_ message: String, _ from: UInt, _ to: UInt) -> Fate)?) {
    state.withLock { $0.fate = fate }
  }

  /// Puts `client` in for `uid`; returns whom it has replaced.
  func enter(_ client: InProcessSignalClient, uid: UInt) -> InProcessSignalClient? {
    let entry = Entry(id: ObjectIdentifier(client), client: client)
    let older = state.withLock { $0.clients.updateValue(entry, forKey: uid).flatMap { $0.client } }
    return older === client ? nil : older
  }

  func leave(_ id: ObjectIdentifier, uid: UInt) {
    state.withLock { state in
      if state.clients[uid]?.id == id { state.clients[uid] = nil }
    }
  }

  /// Hands `message` over, on the posting thread.
  func relay(_ message: String, from: UInt, to: UInt) -> SignalError? {
    // flatMap: Swift 6.3 traps on `?.client` inside a tuple when there is no entry, in code that is not optimized.
    let (receiver, fate) = state.withLock { ($0.clients[to].flatMap { $0.client }, $0.fate) }
    guard let receiver else { return .userOffline(uid: to) }
    switch fate?(message, from, to) ?? .delivered {
    case .delivered: post { receiver.received(message, from: from, to: to) }
    case .lost: break
    case .failed(let error): return error
    }
    return nil
  }
}
