/// Which of the last 1024 packet indexes were seen (RFC 3711 section 3.3.2). The words are on the heap, made once.
public struct ReplayWindow: Sendable {
  /// How many indexes back from the highest are remembered.
  public static let size: UInt64 = 1024

  /// The highest index recorded; nil before the first.
  public private(set) var highestIndex: UInt64?
  private var words = [UInt64](repeating: 0, count: 16)

  /// A window that has seen nothing.
  public init() {}

  /// Whether `index` was not recorded and is not too old to tell.
  public func isFresh(_ index: UInt64) -> Bool {
    guard let highest = highestIndex, index <= highest else { return true }
    guard highest &- index < Self.size else { return false }
    return words[Self.word(index)] & Self.bit(index) == 0
  }

  /// Records `index`; one too old for the window is ignored.
  public mutating func record(_ index: UInt64) {
    guard let highest = highestIndex else {
      highestIndex = index
      words[Self.word(index)] |= Self.bit(index)
      return
    }
    if index == highest &+ 1 {
      // Nearly always: the place is that of an index that has just fallen out, and is set whatever it was.
      highestIndex = index
    } else if index > highest {
      forget(after: highest, through: index)
      highestIndex = index
    } else if highest &- index >= Self.size {
      return
    }
    words[Self.word(index)] |= Self.bit(index)
  }

  /// Clears the places that `first + 1 ... last` take over from indexes that fall out of the window.
  private mutating func forget(after first: UInt64, through last: UInt64) {
    if last &- first >= Self.size {
      for position in words.indices { words[position] = 0 }
      return
    }
    var index = first
    while index < last {
      index &+= 1
      words[Self.word(index)] &= ~Self.bit(index)
    }
  }

  private static func word(_ index: UInt64) -> Int { Int(truncatingIfNeeded: (index >> 6) & 15) }
  private static func bit(_ index: UInt64) -> UInt64 { 1 << (index & 63) }
}
