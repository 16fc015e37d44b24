/// Which of the last 1,024 indices have come.
struct SeenWindow {
  private static let capacity: Int64 = 1_024
  private var words = [UInt64](repeating: 0, count: 16)
  private var highest: Int64?

  /// False if `index` came before, or is too old to know.
  mutating func insert(_ index: Int64) -> Bool {
    guard let highest else {
      self.highest = index
      set(index)
      return true
    }
    if index > highest {
      if index - highest >= Self.capacity {
        for position in words.indices { words[position] = 0 }
      } else {
        for skipped in highest + 1...index { clear(skipped) }
      }
      self.highest = index
    } else if highest - index >= Self.capacity || contains(index) {
      return false
    }
    set(index)
    return true
  }

  private func contains(_ index: Int64) -> Bool { words[Self.word(index)] & Self.bit(index) != 0 }
  private mutating func set(_ index: Int64) { words[Self.word(index)] |= Self.bit(index) }
  private mutating func clear(_ index: Int64) { words[Self.word(index)] &= ~Self.bit(index) }
  private static func word(_ index: Int64) -> Int { Int(truncatingIfNeeded: index &>> 6) & 15 }
  private static func bit(_ index: Int64) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: index & 63) }
}
