/// How much each of many holds of what is limited for all together, and who holds most. Every change costs the same, however
/// many there are.
public struct HoldingTable<Key: Hashable & Sendable>: Sendable {
  private var amounts: [Key: Int] = [:]
  /// Who holds so much that it takes as many binary digits as the index says.
  private var classes = [Set<Key>](repeating: [], count: Int.bitWidth)
  /// What all hold together.
  public private(set) var total = 0

  /// Makes an empty table.
  public init() {}

  /// What one holds.
  public subscript(key: Key) -> Int { amounts[key] ?? 0 }

  /// Says what one holds from now on; 0, or less, for nothing.
  public mutating func set(_ key: Key, _ amount: Int) {
    let (old, new) = (self[key], max(amount, 0))
    guard old != new else { return }
    total += new - old
    amounts[key] = new == 0 ? nil : new
    let (oldClass, newClass) = (Self.digitCount(old), Self.digitCount(new))
    guard oldClass != newClass else { return }
    if old > 0 { classes[oldClass].remove(key) }
    if new > 0 { classes[newClass].insert(key) }
  }

  /// One of those who hold most: nobody holds twice as much. `nil` if nobody holds anything.
  public var largest: Key? { classes.last { !$0.isEmpty }?.first }

  private static func digitCount(_ amount: Int) -> Int { Int.bitWidth - amount.leadingZeroBitCount }
}
