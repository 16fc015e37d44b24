public import MediaBase

/// Who is logged in where.
extension SignalDirectory {
  /// Makes other servers know of a login. A session that goes on is claimed too: it may have gone on elsewhere meanwhile.
  mutating func claim(_ uid: UInt, now: MediaInstant) {
    guard configuration.isClustered else { return }
    claimCount += 1
    let claim = SignalClaim(uid: uid, count: claimCount, time: now)
    users[uid]?.claim = claim
    users[uid]?.isClaimAsked = true
    append(.claimed(claim))
  }

  /// What other servers have to be told again, since they may have forgotten it or never heard: all claims, but for those whose
  /// numbers are being asked for. That is then done of all of these.
  public mutating func claimsToRepeat() -> [SignalClaim] {
    let claims = users.values.filter { !$0.isClaimAsked }.compactMap(\.claim)
    for claim in claims where claim.number == nil { users[claim.uid]?.isClaimAsked = true }
    return claims
  }

  /// A claim has got its number, or still has it: `nil` if a newer login elsewhere stands. What is said of claims that were
  /// overtaken here counts for nothing.
  public mutating func numbered(_ claim: SignalClaim, _ number: UInt64?, now: MediaInstant) {
    guard let user = users[claim.uid], user.claim?.count == claim.count else { return }
    guard let number, number >= user.rivalNumber else { return remove(claim.uid, why: .replaced, now: now) }
    users[claim.uid]?.claim?.number = number
    users[claim.uid]?.isClaimAsked = false
  }

  /// Whether a claim has been heard is not known: it is to be repeated.
  public mutating func claimFailed(_ claim: SignalClaim) {
    guard users[claim.uid]?.claim?.count == claim.count else { return }
    users[claim.uid]?.isClaimAsked = false
  }

  /// The same uid has logged in at another server, by a claim with this number: the higher number stands. While that of the
  /// login here is not known, it is waited for.
  public mutating func loggedInElsewhere(_ uid: UInt, number: UInt64, now: MediaInstant) {
    guard let user = users[uid] else { return }
    guard let own = user.claim?.number else {
      users[uid]?.rivalNumber = max(user.rivalNumber, number)
      return
    }
    if number > own { remove(uid, why: .replaced, now: now) }
  }
}
