/// What a `CallLedger` tells its owner.
public enum CallLedgerEvent: Hashable, Sendable {
  /// What has happened to a call.
  public enum Change: String, Hashable, Sendable {
    case started, accepted, connected, reported, ended
  }

  /// A call's record is another now. For keeping it, and for whoever wants to know of calls.
  case changed(CallRecord, Change)
  /// A call has begun that is neither recorded nor supervised, since there are too many in memory, all open.
  case unrecorded(CallRecord)
  /// Whoever of `uids` is in the channel has to be told there that the other side has been removed.
  case removed(channel: String, uids: [UInt])
  /// A user has to be told that a call is over, in the name of the other side; or, if `reason` is `lost` or
  /// `neverConnected`, that the other side is missing, for it to decide.
  case hangup(callID: String, from: UInt, to: UInt, reason: CallRecord.EndReason)
}
