import MediaBase

extension CallLedger {
  /// Goes on with a call that was open when the server ended, by its record. Its sides can end it as before; whoever of them
  /// is seen in its channel again is missed if the other is not. If neither is of a call that was accepted, the record ends as
  /// `interrupted`.
  public mutating func restore(_ record: CallRecord, now: Time) {
    guard record.endTime == nil, calls[record.callID] == nil, calls.count < configuration.maximumCallCount,
      callers[record.caller]?.count ?? 0 < configuration.maximumCallCountOfUser,
      callees[record.callee]?.count ?? 0 < configuration.maximumCallCountOfCallee
    else { return }
    var call = Call(record: record, startInstant: now.instant)
    if record.acceptTime != nil { (call.acceptInstant, call.restoreInstant) = (now.instant, now.instant) }
    for uid in record.parties where present[record.room]?.contains(uid) != true { call.absences[uid] = now.instant }
    call.hasBeenSeen = call.absences.count < record.parties.count
    enter(call)
    if record.acceptTime != nil, !call.hasBeenSeen { addToUnseen(record) }
    schedule(record.callID, now: now.instant)
  }
}
