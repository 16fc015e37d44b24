import CallAPI
import Synchronization

/// What becomes of the call that `greenroom call` makes.
final class OutgoingCall: Sendable {
  /// Why a call is over.
  struct Ending: Sendable {
    var reason: CallStateReason
    var explanation: String?
  }

  /// What is known so far.
  struct Record: Sendable {
    var callID: String?
    var isAccepted = false
    var hasConnected = false
    var ending: Ending?
    /// Why this user may not be in the call's room.
    var tokenRefusal: String?
  }

  private let state = Mutex(Record())
  private let interruption: Interruption
  private let seconds: Double?
  private let hasEnded = OneTime<Bool>()

  /// - Parameters:
  ///   - interruption: ended when the call ends or cannot come about.
  ///   - seconds: ended so long after the call has connected, too.
  init(_ interruption: Interruption, seconds: Double?) {
    self.interruption = interruption
    self.seconds = seconds
  }

  var record: Record { state.withLock { $0 } }

  /// Waits until the call is over, for a second.
  func waitForEnd() { _ = hasEnded.wait(seconds: 1) }

  /// Takes a report.
  func take(_ report: CallObserver.Report) {
    if let refusal = report.tokenRefusal {
      state.withLock { $0.tokenRefusal = refusal }
      return interruption.end()
    }
    switch report {
    case .state(.calling, .localVideoCall, let details), .state(.calling, .localAudioCall, let details):
      state.withLock { $0.callID = details.callID }
    case .state(.connecting, _, _): state.withLock { $0.isAccepted = true }
    case .connected:
      state.withLock { $0.hasConnected = true }
      if let seconds { interruption.end(after: seconds) }
    case .state(.prepared, let reason, let details): end(Ending(reason: reason, explanation: details.explanation))
    default: break
    }
  }

  private func end(_ ending: Ending) {
    let isNew = state.withLock { state in
      // Prepared is also what comes before the call.
      guard state.callID != nil, state.ending == nil else { return false }
      state.ending = ending
      return true
    }
    guard isNew else { return }
    hasEnded.set(true)
    interruption.end()
  }
}
