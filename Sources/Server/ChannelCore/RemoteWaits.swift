import MediaBase

/// Texts that other servers have been given, and that have no answer yet.
struct RemoteWaits: Sendable {
  struct Wait: Sendable {
    var text: RemoteText
    var origin: SignalOrigin
    var expiryTime: MediaInstant
  }

  private var waits: [UInt64: Wait] = [:]
  /// Their numbers by receiver, the oldest first.
  private var numbers: [UInt: ArrivalOrder<UInt64>] = [:]
  private var byteCounts: [UInt: Int] = [:]
  /// How many there have been.
  private var lastNumber: UInt64 = 0

  /// A number for one more.
  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func append(_ wait: Wait) {
    waits[wait.text.number] = wait
    numbers[wait.text.to, default: ArrivalOrder()].append(wait.text.number)
    byteCounts[wait.text.to, default: 0] += wait.text.message.utf8.count + HeldText.overheadByteCount
  }

  mutating func remove(_ number: UInt64) -> Wait? {
    guard let wait = waits.removeValue(forKey: number) else { return nil }
    let uid = wait.text.to
    numbers[uid]?.remove(number)
    byteCounts[uid, default: 0] -= wait.text.message.utf8.count + HeldText.overheadByteCount
    if numbers[uid]?.isEmpty == true { (numbers[uid], byteCounts[uid]) = (nil, nil) }
    return wait
  }

  /// The oldest for a user.
  func oldest(to uid: UInt) -> UInt64? { numbers[uid]?.first }

  /// What those for a user count against the limit of all users.
  func cost(to uid: UInt) -> Int { byteCounts[uid] ?? 0 }
}
