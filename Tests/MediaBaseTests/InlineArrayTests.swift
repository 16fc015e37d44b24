import Testing

/// What stored state would look like with an array of fixed length in it. See docs/toolchain-notes.md.
private struct Ring {
  var words: [4 of UInt64] = .init(repeating: 0)

  mutating func set(_ index: Int, _ value: UInt64) { words[index] = value }

  func sum() -> UInt64 {
    var total: UInt64 = 0
    for index in 0..<4 { total &+= words[index] }
    return total
  }
}

private final class Owner { var ring = Ring() }

@inline(never) private func sumOfTwoWrites(_ value: UInt64) -> UInt64 {
  let owner = Owner()
  owner.ring.set(0, value)
  owner.ring.set(2, value)
  return owner.ring.sum()
}

/// A canary: the compiler, when it optimises, loses writes to an `InlineArray` in stored state, which is why none is used.
@Suite struct InlineArrayTests {
  @Test func `writes to a fixed array in a class are lost only where the compiler optimises`() {
    let value = UInt64(CommandLine.arguments.count)
    #if DEBUG
      #expect(sumOfTwoWrites(value) == 2 * value)
    #else
      // Fails once nothing is lost any more: then the compiler has been mended, and the rule may go.
      withKnownIssue { #expect(sumOfTwoWrites(value) == 2 * value) }
    #endif
  }
}
