import MediaBase

/// What users may still send: one allowance for each user, however many connections that has, one after another or at once.
/// Opening some beforehand gives no more than one, nor does logging in or joining again.
struct UserAllowances {
  /// Whose allowance it is.
  enum User: Hashable {
    /// A user of signalling.
    case signalling(uid: UInt)
    /// A user of a channel.
    case channel(String, uid: UInt)
  }

  private let burst: Int
  /// Of those who have not earned everything back.
  private var entries: [User: MessageAllowance] = [:]

  /// - Parameter burst: messages in a row.
  init(burst: Int) { self.burst = burst }

  /// Takes what a message of so many bytes counts; false if the user does not have that left.
  mutating func take(_ user: User, byteCount: Int, now: MediaInstant) -> Bool {
    entries[user, default: MessageAllowance(burst: burst, now: now)].take(byteCount: byteCount, now: now)
  }

  /// A connection turns out to be a user's: what it has taken so far counts for the user, as far as that has it left.
  mutating func charge(_ user: User, _ taken: Double, now: MediaInstant) {
    entries[user, default: MessageAllowance(burst: burst, now: now)].charge(taken, now: now)
  }

  /// Forgets those who have earned everything back.
  mutating func prune(now: MediaInstant) { entries = entries.filter { !$0.value.isFull(now: now) } }

  /// Users who have not earned everything back, as far as is known.
  var count: Int { entries.count }
}
