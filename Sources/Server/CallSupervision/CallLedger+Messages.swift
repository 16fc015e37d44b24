import MediaBase

extension CallLedger {
  /// A message of a call has passed. One that pretends to be another's counts for nothing: its receiver drops it too.
  ///
  /// - Parameters:
  ///   - signal: what the message says.
  ///   - from: who has sent it, for which the signalling vouches.
  ///   - to: to whom.
  ///   - isDelivered: false if its receiver is not logged in.
  ///   - now: when.
  public mutating func receive(_ signal: CallSignal, from: UInt, to: UInt, isDelivered: Bool = true, now: Time) {
    guard signal.fromUserID == from else { return }
    switch signal.action {
    case .videoCall, .audioCall: begin(signal, from: from, to: to, isDelivered: isDelivered, now: now)
    case .accept:
      guard let id = call(signal.callID, from: from, to: to), calls[id]?.record.callee == from else { return }
      accept(id, now: now)
    case .reject:
      guard let id = call(signal.callID, from: from, to: to), let record = calls[id]?.record else { return }
      // It ends the call at both ends, whoever sends it. Of a call that is not accepted a caller can only think better.
      let isGivenUp = record.acceptTime == nil && record.caller == from
      let reason: CallRecord.EndReason = isGivenUp ? .cancelled : signal.isInternal ? .busy : .rejected
      end(id, reason, by: from, detail: signal.reason, now: now)
    case .cancelCall:
      guard let id = call(signal.callID, from: from, to: to) else { return }
      end(id, signal.isInternal ? .timeout : .cancelled, by: from, now: now)
    case .hangup:
      // Whoever ends calls may not know their id; that of a call which has ended says nothing of the next one.
      let named = call(signal.callID, from: from, to: to)
      let meant = named ?? (calls[signal.callID] == nil ? call("", from: from, to: to) : nil)
      guard let id = meant, let call = calls[id] else { return }
      end(id, call.hasBeenMissed ? call.lossReason : .hangup, by: from, detail: signal.reason, now: now)
    }
  }

  /// The open call with this id, or without one the newest, between two users.
  private mutating func call(_ id: String, from: UInt, to: UInt) -> String? {
    if !id.isEmpty {
      guard let call = calls[id], call.endInstant == nil, isBetween(call.record, from, to) else { return nil }
      return id
    }
    return openCalls(between: from, to).last
  }

  private func isBetween(_ record: CallRecord, _ one: UInt, _ other: UInt) -> Bool {
    record.caller == one && record.callee == other || record.caller == other && record.callee == one
  }

  private mutating func begin(_ signal: CallSignal, from: UInt, to: UInt, isDelivered: Bool, now: Time) {
    guard !signal.callID.isEmpty, !signal.roomID.isEmpty, from != to, calls[signal.callID] == nil else {
      // The same text once more, this time to somebody who has gone.
      if !isDelivered, let id = call(signal.callID, from: from, to: to), calls[id]?.record.acceptTime == nil {
        end(id, .unreachable, by: nil, now: now)
      }
      return
    }
    for id in openCalls(between: from, to) where calls[id]?.record.caller == from {
      end(id, .replaced, by: from, now: now)
    }
    let record = CallRecord(
      callID: signal.callID, caller: from, callee: to, room: signal.roomID,
      type: signal.action == .videoCall ? .video : .audio, startTime: now.milliseconds)
    guard makeRoom(forCallFrom: from, to: to, now: now) else { return emit(.unrecorded(record)) }
    var call = Call(record: record, startInstant: now.instant)
    call.hasBeenSeen = !(present[signal.roomID] ?? []).isDisjoint(with: record.parties)
    enter(call)
    emit(.changed(record, .started))
    if isDelivered {
      schedule(signal.callID, now: now.instant)
    } else {
      end(signal.callID, .unreachable, by: nil, now: now)
    }
  }

  private mutating func accept(_ id: String, now: Time) {
    guard let record = calls[id]?.record, record.acceptTime == nil else { return }
    // Both had called each other: the call that is accepted stands.
    for other in openCalls(between: record.caller, record.callee)
    where other != id && calls[other]?.record.caller == record.callee {
      end(other, .glare, by: nil, now: now)
    }
    calls[id]?.record.acceptTime = now.milliseconds
    calls[id]?.acceptInstant = now.instant
    calls[id]?.restoreInstant = nil
    if calls[id]?.hasBeenSeen == false { addToUnseen(record) }
    if let record = calls[id]?.record { emit(.changed(record, .accepted)) }
    schedule(id, now: now.instant)
    connectIfBothAreThere(id, now: now)
  }

  mutating func connect(_ id: String, now: Time) {
    guard let call = calls[id], call.endInstant == nil, call.record.connectTime == nil, call.record.acceptTime != nil
    else { return }
    calls[id]?.record.connectTime = now.milliseconds
    calls[id]?.hasBeenMissed = false
    if let record = calls[id]?.record { emit(.changed(record, .connected)) }
    schedule(id, now: now.instant)
  }

  mutating func end(
    _ id: String, _ reason: CallRecord.EndReason, by uid: UInt?, detail: String? = nil, now: Time
  ) {
    guard let call = calls[id], call.endInstant == nil else { return }
    var record = call.record
    record.endTime = now.milliseconds
    record.endReason = reason
    record.endedBy = uid
    record.endDetail = detail
    calls[id]?.record = record
    calls[id]?.endInstant = now.instant
    close(record)
    emit(.changed(record, .ended))
    schedule(id, now: now.instant)
  }
}
