import MediaBase

/// What all texts together take that wait for somebody.
extension SignalDirectory {
  /// What waits for a user has changed.
  mutating func noteHolding(of uid: UInt) {
    holdings.set(uid, (users[uid]?.held.cost ?? 0) + remoteTexts.cost(to: uid))
  }

  /// Lets the oldest texts go that wait for whoever most wait for, until there is room again: those for whom little waits lose
  /// nothing because of others.
  mutating func limitHoldings(now: MediaInstant) {
    while holdings.total > configuration.maximumHeldByteCountOfAll, let uid = holdings.largest {
      if let oldest = users[uid]?.held.texts.first {
        _ = users[uid]?.held.removeFirst(upTo: oldest.sequence)
        noteHolding(of: uid)
        giveBack(oldest, of: uid, now: now)
      } else if let number = remoteTexts.oldest(to: uid) {
        giveBackRemote(number, now: now)
      } else {
        // Cannot be: nothing waits.
        return
      }
    }
  }
}
