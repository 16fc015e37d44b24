import Dispatch
import Foundation
import MediaEngine
import Signaling
import Synchronization

/// 1v1 calls: who calls whom is agreed by messages of a `SignalClient`, picture and sound go through an `RTCEngine`.
///
/// Every method returns at once; what comes of it is told by completions and listeners on the callback queue, in order.
/// docs/calls.md describes states and messages.
public final class CallAPI: Sendable {
  /// Called once with `nil` on success.
  public typealias Completion = @Sendable (CallError?) -> Void

  private let core: CallCore

  /// Makes an object that has yet to be initialized.
  ///
  /// - Parameter callbackQueue: where listeners and completions are called; a serial queue of the object's own by default.
  public init(callbackQueue: DispatchQueue? = nil) {
    core = CallCore(queue: DispatchQueue(label: "greenroom.calls", target: callbackQueue))
  }

  init(
    rtc: any CallRTC, callbackQueue: DispatchQueue? = nil,
    clock: @escaping @Sendable () -> CallInstant = CallCore.systemClock
  ) {
    core = CallCore(queue: DispatchQueue(label: "greenroom.calls", target: callbackQueue), rtc: rtc, clock: clock)
  }

  /// Sets what to work with. Ignored, with a word to the log, while initialized.
  public func initialize(_ configuration: CallConfiguration) {
    core.onQueue { $0.initialize(configuration) }
  }

  func initialize(userID: UInt, signalClient: any SignalClient, reporter: (any CallReporter)? = nil) {
    core.onQueue { $0.initialize(userID: userID, signalClient: signalClient, reporter: reporter) }
  }

  /// Ends everything: a call under way is cancelled or hung up, and nothing is heard of after the completion.
  public func deinitialize(completion: @escaping Completion = { _ in }) {
    core.onQueue { $0.deinitialize(completion) }
  }

  /// Gets ready to call and to be called; leads to state prepared. Replaces an earlier preparation.
  public func prepareForCall(_ configuration: PrepareConfiguration, completion: @escaping Completion = { _ in }) {
    core.onQueue { core in core.request(completion) { $0.prepare(configuration, completion: $1, now: $2) } }
  }

  /// Calls a user; leads to state calling. The completion tells whether the message has reached the other side.
  public func call(
    remoteUserID: UInt, callType: CallType = .video, callExtension: [String: JSONValue] = [:],
    completion: @escaping Completion = { _ in }
  ) {
    let (callID, freshRoomID) = (UUID().uuidString, UUID().uuidString.lowercased())
    core.onQueue { core in
      core.request(completion) {
        $0.call(
          remoteUserID, type: callType, callExtension: callExtension, callID: callID, freshRoomID: freshRoomID,
          makeKeyPair: CallKeyPair.make, completion: $1, now: $2)
      }
    }
  }

  /// Gives up a call; leads to state prepared.
  public func cancelCall(completion: @escaping Completion = { _ in }) {
    core.onQueue { core in core.request(completion) { $0.cancelCall(completion: $1, now: $2) } }
  }

  /// Accepts the call that rings; leads to connecting, and with the first picture or sound to connected.
  public func accept(remoteUserID: UInt, completion: @escaping Completion = { _ in }) {
    core.onQueue { core in core.request(completion) { $0.accept(remoteUserID, completion: $1, now: $2) } }
  }

  /// Rejects the call that rings; leads to state prepared.
  public func reject(remoteUserID: UInt, reason: String? = nil, completion: @escaping Completion = { _ in }) {
    core.onQueue { core in
      core.request(completion) { $0.reject(remoteUserID, reason: reason, completion: $1, now: $2) }
    }
  }

  /// Ends a call; leads to state prepared.
  public func hangup(remoteUserID: UInt, reason: String? = nil, completion: @escaping Completion = { _ in }) {
    core.onQueue { core in
      core.request(completion) { $0.hangUp(remoteUserID, reason: reason, completion: $1, now: $2) }
    }
  }

  /// Replaces the token for rooms, also that of a call under way.
  public func renewToken(_ token: String) {
    core.onQueue { core in core.perform { machine, now in machine.renewToken(token, now: now) } }
  }

  /// One more listener, held weakly.
  public func addListener(_ listener: any CallAPIListener) { core.listeners.add(listener) }

  /// Takes a listener away.
  public func removeListener(_ listener: any CallAPIListener) { core.listeners.remove(listener) }

  /// The id of the call; empty if there is none.
  public var callID: String { core.published.withLock { $0.callID } }

  /// Where the call stands.
  public var state: CallState { core.published.withLock { $0.state } }

  /// 12 digits, if the call is encrypted between the ends: both users see the same ones, unless somebody stands between
  /// them and has given each another key. `nil` before the other side's key has come.
  public var authenticationText: String? { core.published.withLock { $0.authenticationText } }
}
