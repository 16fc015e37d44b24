import CallAPI
import Synchronization

/// Tells when a call has connected and when it has ended.
final class CallReports: Sendable {
  private struct State {
    var hasBegun = false
    var onConnected: [@Sendable () -> Void]
    var onEnded: [@Sendable (CallStateReason) -> Void]
  }

  private let state: Mutex<State>

  init(
    onConnected: @escaping @Sendable () -> Void = {}, onEnded: @escaping @Sendable (CallStateReason) -> Void = { _ in }
  ) { state = Mutex(State(onConnected: [onConnected], onEnded: [onEnded])) }

  /// One more thing to do when a call has connected.
  func onConnected(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onConnected.append(body) } }

  /// One more thing to do when a call has ended.
  func onEnded(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnded.append { _ in body() } } }

  /// State prepared means the end of a call from now on.
  func begin() { state.withLock { $0.hasBegun = true } }

  /// Takes a report.
  func take(_ report: CallObserver.Report) {
    let (hasBegun, onConnected, onEnded) = state.withLock { ($0.hasBegun, $0.onConnected, $0.onEnded) }
    switch report {
    case .connected: onConnected.forEach { $0() }
    case .state(.prepared, let reason, _) where hasBegun: onEnded.forEach { $0(reason) }
    default: break
    }
  }
}
