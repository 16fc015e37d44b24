import MediaBase

/// What users who were disconnected had left of their allowance, so that logging in again does not fill it.
struct AllowanceMemory {
  private var entries: [UInt: MessageAllowance] = [:]

  mutating func store(_ allowance: MessageAllowance, of uid: UInt, now: MediaInstant) {
    if !allowance.isFull(now: now) { entries[uid] = allowance }
  }

  /// What `uid` has left; `nil` if it has all.
  mutating func take(_ uid: UInt) -> MessageAllowance? { entries.removeValue(forKey: uid) }

  /// Forgets those who have earned everything back.
  mutating func prune(now: MediaInstant) { entries = entries.filter { !$0.value.isFull(now: now) } }
}
