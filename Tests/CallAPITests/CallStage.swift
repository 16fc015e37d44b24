import Dispatch
import MediaEngine
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import CallAPI

/// A user with a `CallAPI` on a fake engine, over a hub; writes down what it is told.
final class CallUser: CallAPIListener {
  let uid: UInt
  let api: CallAPI
  let rtc = FakeCallRTC()
  let signal: InProcessSignalClient
  let queue: DispatchQueue
  private let state: Mutex<(log: [String], isOffQueue: Bool)> = Mutex(([], false))
  private let key = DispatchSpecificKey<Bool>()

  /// Logs in; initializes and prepares with room R and the uid.
  init(_ uid: UInt, _ hub: InProcessSignalHub, timeout: Int = 0) async {
    self.uid = uid
    queue = DispatchQueue(label: "callbacks of \(uid)")
    queue.setSpecific(key: key, value: true)
    signal = hub.makeClient()
    api = CallAPI(rtc: rtc, callbackQueue: queue)
    api.addListener(self)
    await withCheckedContinuation { continuation in signal.login(uid: uid) { _ in continuation.resume() } }
    api.initialize(userID: uid, signalClient: signal)
    prepare(timeout: timeout)
    _ = await hears("done prepare")
    clear()
  }

  func prepare(timeout: Int = 0) {
    api.prepareForCall(
      PrepareConfiguration(roomID: "R\(uid)", callTimeoutMilliseconds: timeout), completion: done("prepare"))
  }

  /// A completion that writes down its call.
  func done(_ name: String) -> CallAPI.Completion {
    { [weak self] error in self?.note("done \(name)" + (error.map { ": \($0.message)" } ?? "")) }
  }

  var log: [String] { state.withLock { $0.log } }
  var states: [String] { log.filter { $0.hasPrefix("S(") } }
  /// Whether a callback has come anywhere but on the callback queue.
  var wasOffQueue: Bool { state.withLock { $0.isOffQueue } }

  func clear() { state.withLock { $0.log.removeAll() } }

  func hears(_ entry: String) async -> Bool { await eventually { self.log.contains(entry) } }

  /// Everything that has been asked for so far has been done when this returns.
  func settle() async {
    for _ in 0..<4 {
      await withCheckedContinuation { continuation in
        signal.send(message: "?", to: 0) { _ in continuation.resume() }
      }
      await withCheckedContinuation { continuation in api.cancelNothing { continuation.resume() } }
    }
  }

  private func note(_ entry: String) {
    let isOnQueue = DispatchQueue.getSpecific(key: key) == true
    state.withLock { state in
      state.log.append(entry)
      if !isOnQueue { state.isOffQueue = true }
    }
  }

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) { note("S(\(state.rawValue),\(stateReason.rawValue))") }
  func onCallEventChanged(event: CallEvent, eventReason: String?) { note("E\(event.rawValue)") }
  func onCallError(errorEvent: CallErrorEvent, errorType: CallErrorCodeType, errorCode: Int, message: String?) {
    note("error \(errorEvent.rawValue) \(errorType.rawValue) \(errorCode)")
  }
  func onCallConnected(roomID: String, callUserID: UInt, currentUserID: UInt, timestamp: Int64) {
    note("CC \(roomID) \(callUserID) \(currentUserID)")
  }
  func onCallDisconnected(roomID: String, hangupUserID: UInt, currentUserID: UInt, timestamp: Int64, duration: Int64) {
    note("CD \(roomID) \(hangupUserID) \(currentUserID)")
  }
  func tokenPrivilegeWillExpire() { note("token expires") }
  func callDebugInfo(message: String, logLevel: CallLogLevel) { note("debug \(message)") }
}

extension CallAPI {
  /// Comes back when the queue has got here; asks for something that always fails and changes nothing.
  fileprivate func cancelNothing(_ done: @escaping @Sendable () -> Void) {
    accept(remoteUserID: 0) { _ in done() }
  }
}
