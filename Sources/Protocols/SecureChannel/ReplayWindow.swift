/// Which of the last 1024 packet indexes were seen (RFC 3711 section 3.3.2). Has no memory of its own on the heap, so that
/// windows lie side by side in a table.
public struct ReplayWindow: BitwiseCopyable, Sendable {
  /// How many indexes back from the highest are remembered.
  public static let size: UInt64 = 1024

  private typealias Words = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
  )

  /// The highest index recorded; nil before the first.
  public private(set) var highestIndex: UInt64?
  private var words: Words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  /// A window that has seen nothing.
  public init() {}

  /// Whether `index` was not recorded and is not too old to tell.
  public func isFresh(_ index: UInt64) -> Bool {
    guard let highest = highestIndex, index <= highest else { return true }
    guard highest &- index < Self.size else { return false }
    return withUnsafePointer(to: words) { Self.word(index, in: UnsafeRawPointer($0)) & Self.bit(index) == 0 }
  }

  /// Records `index`; one too old for the window is ignored.
  public mutating func record(_ index: UInt64) {
    if let highest = highestIndex {
      if index == highest &+ 1 {
        // Nearly always: the place is that of an index that has just fallen out, and is set whatever it was.
        highestIndex = index
      } else if index > highest {
        forget(after: highest, through: index)
        highestIndex = index
      } else if highest &- index >= Self.size {
        return
      }
    } else {
      highestIndex = index
    }
    mark(index, isSeen: true)
  }

  /// Records the index behind the highest one if it is that of `sequenceNumber`, as it nearly always is, and returns it.
  @inline(__always)
  mutating func takeNext(_ sequenceNumber: UInt16) -> UInt64? {
    guard let highest = highestIndex else { return nil }
    let index = highest &+ 1
    guard UInt16(truncatingIfNeeded: index) == sequenceNumber, index >> 48 == 0 else { return nil }
    highestIndex = index
    mark(index, isSeen: true)
    return index
  }

  /// Clears the places that `first + 1 ... last` take over from indexes that fall out of the window.
  private mutating func forget(after first: UInt64, through last: UInt64) {
    if last &- first >= Self.size {
      words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      return
    }
    var index = first
    while index < last {
      index &+= 1
      mark(index, isSeen: false)
    }
  }

  private mutating func mark(_ index: UInt64, isSeen: Bool) {
    withUnsafeMutablePointer(to: &words) { words in
      let place = UnsafeMutableRawPointer(words)
      let word = Self.word(index, in: UnsafeRawPointer(place))
      place.storeBytes(
        of: isSeen ? word | Self.bit(index) : word & ~Self.bit(index), toByteOffset: Self.offset(index), as: UInt64.self
      )
    }
  }

  private static func word(_ index: UInt64, in words: UnsafeRawPointer) -> UInt64 {
    words.load(fromByteOffset: offset(index), as: UInt64.self)
  }

  private static func offset(_ index: UInt64) -> Int { Int(truncatingIfNeeded: (index >> 6) & 15) &* 8 }
  private static func bit(_ index: UInt64) -> UInt64 { 1 << (index & 63) }
}
