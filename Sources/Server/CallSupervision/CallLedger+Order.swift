import MediaBase

/// Which calls are whose. Whatever happens to a call costs the same however many others its sides and its channel have, so
/// that nobody can make the server slow by calling somebody often.
extension CallLedger {
  /// Two users, in either order.
  struct Pair: Hashable, Sendable {
    let lower: UInt
    let upper: UInt

    init(_ one: UInt, _ other: UInt) { (lower, upper) = (min(one, other), max(one, other)) }
  }

  /// A user in a channel.
  struct Place: Hashable, Sendable {
    var room: String
    var uid: UInt
  }

  /// Calls in memory that one user makes, or that are made to one user.
  struct Share: Sendable {
    var openCount = 0
    /// Ids of those that have ended, in the order of their ends.
    var ended = ArrivalOrder<String>()
    /// Ids of those that are accepted and of which neither side has been seen, in the order of their accepts.
    var unseen = ArrivalOrder<String>()

    var count: Int { openCount + ended.count }
  }

  /// Takes a call that begins, or goes on after a restart.
  mutating func enter(_ call: Call) {
    let record = call.record
    lastNumber &+= 1
    calls[record.callID] = call
    calls[record.callID]?.number = lastNumber
    callers[record.caller, default: Share()].openCount += 1
    callees[record.callee, default: Share()].openCount += 1
    openCalls[Pair(record.caller, record.callee), default: ArrivalOrder()].append(record.callID)
    for uid in record.parties {
      openCallsAtPlaces[Place(room: record.room, uid: uid), default: ArrivalOrder()].append(record.callID)
    }
  }

  /// A call has ended: only its record is kept, for a while.
  mutating func close(_ record: CallRecord) {
    leaveOpenCalls(record)
    callers[record.caller]?.ended.append(record.callID)
    callees[record.callee]?.ended.append(record.callID)
  }

  private mutating func leaveOpenCalls(_ record: CallRecord) {
    lookCount &+= 1
    removeFromUnseen(record)
    callers[record.caller]?.openCount -= 1
    callees[record.callee]?.openCount -= 1
    let pair = Pair(record.caller, record.callee)
    openCalls[pair]?.remove(record.callID)
    if openCalls[pair]?.isEmpty == true { openCalls[pair] = nil }
    for uid in record.parties {
      let place = Place(room: record.room, uid: uid)
      openCallsAtPlaces[place]?.remove(record.callID)
      if openCallsAtPlaces[place]?.isEmpty == true { openCallsAtPlaces[place] = nil }
    }
  }

  /// A call is accepted, and neither side is in its channel: its media is elsewhere, or is yet to come.
  mutating func addToUnseen(_ record: CallRecord) {
    unseenCalls.append(record.callID)
    callers[record.caller]?.unseen.append(record.callID)
    callees[record.callee]?.unseen.append(record.callID)
  }

  /// A side has been seen, or the call is over.
  mutating func removeFromUnseen(_ record: CallRecord) {
    guard unseenCalls.remove(record.callID) else { return }
    callers[record.caller]?.unseen.remove(record.callID)
    callees[record.callee]?.unseen.remove(record.callID)
  }

  /// Lets go of a call.
  mutating func forget(_ id: String) {
    guard let call = calls.removeValue(forKey: id) else { return }
    lookCount &+= 1
    let record = call.record
    reportByteCount -= call.reportByteCount
    deadlines.set(id, nil)
    if call.endInstant == nil { leaveOpenCalls(record) }
    callers[record.caller]?.ended.remove(id)
    if callers[record.caller]?.count == 0 { callers[record.caller] = nil }
    callees[record.callee]?.ended.remove(id)
    if callees[record.callee]?.count == 0 { callees[record.callee] = nil }
  }

  /// Whether one more call can be kept in memory. The caller's call that ended first makes room for it, or that to the callee:
  /// its record is complete but for what may still be reported. If none has ended, one does that nobody can be missed from:
  /// who only says that they accept could otherwise take all the room.
  mutating func makeRoom(forCallFrom caller: UInt, to callee: UInt, now: Time) -> Bool {
    // Calls that others make to the caller do not count.
    let isFullForCaller = callers[caller]?.count ?? 0 >= configuration.maximumCallCountOfUser
    let isFull = calls.count >= configuration.maximumCallCount
    var own: String?
    if isFullForCaller || isFull {
      own = callers[caller]?.ended.first ?? stale(callers[caller]?.unseen, now)
      if own == nil, !isFullForCaller { own = stale(unseenCalls, now) }
      if own == nil { return false }
    }
    func isFullForCallee() -> Bool { callees[callee]?.count ?? 0 >= configuration.maximumCallCountOfCallee }
    let other = callees[callee]?.ended.first ?? stale(callees[callee]?.unseen, now)
    if isFullForCallee(), other == nil { return false }
    if let own { giveUp(own, now: now) }
    // That may have been one to this callee.
    if isFullForCallee(), let other { giveUp(other, now: now) }
    return true
  }

  /// The oldest call of some that are not seen, if its sides have had their time to come to the channel.
  private func stale(_ unseen: ArrivalOrder<String>?, _ now: Time) -> String? {
    guard let id = unseen?.first, let accept = calls[id]?.acceptInstant,
      accept + configuration.connectTimeout <= now.instant
    else { return nil }
    return id
  }

  private mutating func giveUp(_ id: String, now: Time) {
    if calls[id]?.endInstant == nil { endForNobody(id, .unended, now: now) }
    forget(id)
  }

  /// Open calls between two users, the oldest first: hardly ever more than one in each direction.
  mutating func openCalls(between one: UInt, _ other: UInt) -> [String] {
    let ids = openCalls[Pair(one, other)].map { Array($0) } ?? []
    lookCount &+= ids.count
    return ids
  }

  /// Open calls of a user that have this channel, the oldest first.
  mutating func openCalls(of uid: UInt, in room: String) -> [String] {
    let ids = openCallsAtPlaces[Place(room: room, uid: uid)].map { Array($0) } ?? []
    lookCount &+= ids.count
    return ids
  }
}
