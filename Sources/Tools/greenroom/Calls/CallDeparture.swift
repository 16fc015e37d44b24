import CallAPI
import Dispatch
import Synchronization

/// Ends a call whose other side has gone without hanging up, as a program does that is killed. Somebody whose connection
/// was lost comes back within seconds.
final class CallDeparture: Sendable {
  private struct State {
    var peer: UInt?
    /// Changes whenever waiting for the other side's return has become pointless.
    var generation = 0
    var hangUp: (@Sendable (UInt) -> Void)?
  }

  private let state = Mutex(State())

  /// How long the other side may be away.
  static let patience = 10

  /// Ends the call with a user.
  var hangUp: (@Sendable (UInt) -> Void)? {
    get { state.withLock { $0.hangUp } }
    set { state.withLock { $0.hangUp = newValue } }
  }

  /// Takes a report.
  func take(_ report: CallObserver.Report) {
    switch report {
    case .state(.connected, _, let peer): turn(to: peer)
    case .state: turn(to: nil)
    case .event(.remoteJoined, _): turn(to: state.withLock { $0.peer })
    case .event(.remoteLeft, _): wait()
    default: break
    }
  }

  private func turn(to peer: UInt?) {
    state.withLock {
      $0.peer = peer
      $0.generation += 1
    }
  }

  private func wait() {
    let (peer, generation) = state.withLock { ($0.peer, $0.generation) }
    guard let peer else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience)) { [weak self] in
      guard let hangUp = self?.state.withLock({ $0.generation == generation ? $0.hangUp : nil }) else { return }
      Terminal.event("user \(peer) left \(Self.patience) s ago without hanging up: the call ends")
      hangUp(peer)
    }
  }
}
