import MediaBase
import STUNWire

/// The checks that a controlling agent sends to one address.
struct CandidateCheck: Sendable {
  let address: TransportAddress
  /// Checks whose answer may still come; the newest is last. An answer to any of them counts.
  var outstanding: [STUNTransactionID] = []
  /// When the next check is due.
  var nextCheck: MediaInstant
  /// The wait after the next check.
  var wait: MediaDuration

  init(address: TransportAddress, now: MediaInstant, timing: ICETiming) {
    self.address = address
    nextCheck = now
    wait = timing.firstRetransmission
  }

  static let outstandingLimit = 8

  mutating func sent(_ id: STUNTransactionID) {
    outstanding.append(id)
    if outstanding.count > Self.outstandingLimit { outstanding.removeFirst() }
  }
}
