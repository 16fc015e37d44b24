import CallSupervision
import Synchronization

/// Tells whoever runs a server of calls that it makes no record of, ever more seldom: the first, the second, the fourth, ….
final class UnrecordedCalls: Sendable {
  private let count = Mutex<UInt64>(0)

  /// Takes what the server tells of calls.
  @Sendable func note(_ event: CallLedgerEvent) {
    guard case .unrecorded(let record) = event else { return }
    let count = count.withLock { count in
      count &+= 1
      return count
    }
    guard count.nonzeroBitCount == 1 else { return }
    Terminal.error(
      "No record is made of call \(Terminal.plain(record.callID)): too many calls of user \(record.caller), to user "
        + "\(record.callee) or of all are open. So far \(count) calls have no record.")
  }
}
