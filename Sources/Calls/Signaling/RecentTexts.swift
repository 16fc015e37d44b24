/// The texts that have come last, to tell when one comes again.
struct RecentTexts {
  private struct Key: Hashable {
    let sender: UInt
    let id: Int
  }

  private var known: Set<Key> = []
  private var order: [Key] = []
  private var oldest = 0

  /// How many are remembered: more than can wait for confirmation at the server.
  static let capacity = 1_024

  /// Remembers a text; false if it has come before.
  mutating func insert(sender: UInt, id: Int) -> Bool {
    let key = Key(sender: sender, id: id)
    guard known.insert(key).inserted else { return false }
    if order.count < Self.capacity {
      order.append(key)
    } else {
      known.remove(order[oldest])
      order[oldest] = key
      oldest = (oldest + 1) % Self.capacity
    }
    return true
  }
}
