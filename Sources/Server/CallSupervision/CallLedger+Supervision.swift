import MediaBase

extension CallLedger {
  /// A user has entered a channel.
  public mutating func joined(_ channel: String, uid: UInt, now: Time) {
    present[channel, default: []].insert(uid)
    for id in openCalls(of: uid, in: channel) {
      calls[id]?.hasBeenSeen = true
      calls[id]?.absences[uid] = nil
      if let record = calls[id]?.record { removeFromUnseen(record) }
      connectIfBothAreThere(id, now: now)
      if let call = calls[id], call.record.connectTime != nil, call.absences.isEmpty {
        calls[id]?.hasBeenMissed = false
      }
      schedule(id, now: now.instant)
    }
  }

  /// A user has left a channel, on purpose or not.
  public mutating func left(_ channel: String, uid: UInt, now: Time) {
    present[channel]?.remove(uid)
    if present[channel]?.isEmpty == true { present[channel] = nil }
    for id in openCalls(of: uid, in: channel) {
      calls[id]?.absences[uid] = now.instant
      schedule(id, now: now.instant)
    }
  }

  mutating func connectIfBothAreThere(_ id: String, now: Time) {
    guard let record = calls[id]?.record, record.acceptTime != nil,
      present[record.room]?.isSuperset(of: record.parties) == true
    else { return }
    connect(id, now: now)
  }

  /// Who of a call is in its channel now.
  private func presentParties(_ call: Call) -> [UInt] {
    call.record.parties.filter { present[call.record.room]?.contains($0) == true }
  }

  /// When something has to happen with a call, if nothing is heard of it.
  func deadline(of id: String) -> MediaInstant? {
    guard let call = calls[id] else { return nil }
    if let end = call.endInstant {
      let last = end + max(configuration.absenceTimeout, configuration.reportWindow)
      return call.hasBeenTold ? last : min(end + configuration.absenceTimeout, last)
    }
    guard let accept = call.acceptInstant else { return call.startInstant + configuration.ringTimeout }
    if let restore = call.restoreInstant, !call.hasBeenSeen { return restore + configuration.absenceTimeout }
    guard call.hasBeenSeen else { return accept + configuration.unseenTimeout }
    return missingDeadline(of: call, acceptedAt: accept)
  }

  /// When whoever is in the channel is told that the other side is missing; with nobody there, when the call is over.
  private func missingDeadline(of call: Call, acceptedAt accept: MediaInstant) -> MediaInstant? {
    func end(_ absence: MediaInstant?) -> MediaInstant? { absence.map { $0 + configuration.absenceTimeout } }
    let isConnected = call.record.connectTime != nil
    let first = isConnected ? end(call.absences.values.min()) : accept + configuration.connectTimeout
    guard presentParties(call).isEmpty else { return call.hasBeenMissed ? nil : first }
    guard let first, let last = end(call.absences.values.max()) else { return first }
    return max(first, last)
  }

  mutating func expire(_ id: String, now: Time) {
    guard let call = calls[id] else { return }
    if let end = call.endInstant {
      if !call.hasBeenTold { tellLeftBehind(id, call) }
      if end + max(configuration.absenceTimeout, configuration.reportWindow) <= now.instant { forget(id) }
      return
    }
    guard call.acceptInstant != nil else { return endForBoth(id, .unanswered, now: now) }
    guard call.hasBeenSeen else {
      return endForNobody(id, call.restoreInstant == nil ? .unended : .interrupted, now: now)
    }
    let present = presentParties(call)
    guard !present.isEmpty else { return end(id, call.lossReason, by: nil, now: now) }
    // Its application decides: the call goes on until somebody hangs up, or nobody is there any more.
    calls[id]?.hasBeenMissed = true
    tell(call, present, call.lossReason)
  }

  /// Nobody of a call has been seen: it is over for the records. Nobody is told, since its media may be elsewhere, and
  /// whoever is still in it can go on.
  mutating func endForNobody(_ id: String, _ reason: CallRecord.EndReason, now: Time) {
    end(id, reason, by: nil, now: now)
    calls[id]?.hasBeenTold = true
  }

  /// A call is over because of silence: whoever is there is told, on all ways.
  private mutating func endForBoth(_ id: String, _ reason: CallRecord.EndReason, now: Time) {
    guard let call = calls[id] else { return }
    end(id, reason, by: nil, now: now)
    calls[id]?.hasBeenTold = true
    tell(call, call.record.parties, reason)
  }

  /// Somebody is still in the channel long after the call's end: that got lost.
  private mutating func tellLeftBehind(_ id: String, _ call: Call) {
    calls[id]?.hasBeenTold = true
    guard var reason = call.record.endReason else { return }
    let left = presentParties(call)
    if reason == call.lossReason {
      // Both have come back, and go on.
      if call.record.endedBy == nil, left.count == call.record.parties.count { return }
      // To the side that was missing it is an end like any other.
      if call.record.endedBy != nil { reason = .hangup }
    }
    // The sides may be in their next call, which may have the same channel.
    let isUsedAgain = call.record.parties.contains {
      openCallsAtPlaces[Place(room: call.record.room, uid: $0)] != nil
    }
    if !left.isEmpty, !isUsedAgain { tell(call, left, reason) }
  }

  /// The call that the two have begun after one that nobody has accepted, in whichever direction, if it is open.
  private mutating func successor(of call: Call) -> CallRecord? {
    let record = call.record
    guard record.acceptTime == nil, let id = openCalls(between: record.caller, record.callee).last,
      let newest = calls[id], newest.number > call.number
    else { return nil }
    return newest.record
  }

  private mutating func tell(_ call: Call, _ uids: [UInt], _ reason: CallRecord.EndReason) {
    // Who has not heard of this call would take its end for that of the one that they are in with each other now.
    let successor = successor(of: call)
    // Whoever was only called has not agreed to anything: a stranger's call must not end what they are in.
    let present = presentParties(call).filter { uid in
      uids.contains(uid) && (uid == call.record.caller || call.record.acceptTime != nil)
    }
    if !present.isEmpty, successor?.room != call.record.room {
      emit(.removed(channel: call.record.room, uids: present))
    }
    guard successor == nil else { return }
    for uid in uids {
      emit(.hangup(callID: call.record.callID, from: call.record.other(than: uid), to: uid, reason: reason))
    }
  }
}
