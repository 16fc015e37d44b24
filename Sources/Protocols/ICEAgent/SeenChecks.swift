import STUNWire

/// The last checks that have had an effect. Somebody on the way can send a copy of a check from an address of its own;
/// copies are answered as any check, but do not move the path and prove no consent.
struct SeenChecks: Sendable {
  private static let capacity = 64
  /// Of the 96 random bits of an id, these are enough to tell.
  private var ids: [UInt64] = []
  private var next = 0

  /// Remembers a check; false if it has come before.
  mutating func insert(_ id: STUNTransactionID) -> Bool {
    guard !ids.contains(id.low) else { return false }
    if ids.isEmpty { ids.reserveCapacity(Self.capacity) }
    if ids.count < Self.capacity {
      ids.append(id.low)
    } else {
      ids[next] = id.low
      next = (next + 1) % Self.capacity
    }
    return true
  }
}
