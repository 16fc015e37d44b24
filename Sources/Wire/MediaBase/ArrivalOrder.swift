/// Keys in the order in which they came. Whichever is taken out, wherever it stands, costs the same however many there are.
public struct ArrivalOrder<Key: Hashable & Sendable>: Sendable {
  private struct Neighbours: Sendable {
    var previous: Key?
    var next: Key?
  }

  private var neighbours: [Key: Neighbours] = [:]
  /// Who came first of those that are there.
  public private(set) var first: Key?
  /// Who came last of those that are there.
  public private(set) var last: Key?

  /// Makes an empty order.
  public init() {}

  /// How many there are.
  public var count: Int { neighbours.count }

  /// Whether there are none.
  public var isEmpty: Bool { first == nil }

  /// Puts a key behind all others; one that is there stays where it is.
  public mutating func append(_ key: Key) {
    guard neighbours[key] == nil else { return }
    neighbours[key] = Neighbours(previous: last, next: nil)
    if let last { neighbours[last]?.next = key } else { first = key }
    last = key
  }

  /// Takes a key out; false if it is not there.
  @discardableResult
  public mutating func remove(_ key: Key) -> Bool {
    guard let gone = neighbours.removeValue(forKey: key) else { return false }
    if let previous = gone.previous { neighbours[previous]?.next = gone.next } else { first = gone.next }
    if let next = gone.next { neighbours[next]?.previous = gone.previous } else { last = gone.previous }
    return true
  }
}

extension ArrivalOrder: Sequence {
  /// Walks from the first to the last.
  public func makeIterator() -> AnyIterator<Key> {
    var next = first
    return AnyIterator {
      guard let key = next else { return nil }
      next = neighbours[key]?.next
      return key
    }
  }
}
