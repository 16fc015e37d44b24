import MediaBase
import Testing

@Suite("Sequence numbers, random numbers and bytes in network order") struct NumberTests {
  @Test("unwrapped numbers follow a stream over any number of wraps, with loss, reordering and repetition")
  func unwrapping() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<20 {
      var unwrapper = SequenceUnwrapper()
      var position = Int64.random(in: 0...65_535, using: &random)
      let offset = unwrapper.unwrap(UInt16(truncatingIfNeeded: position)) - position
      #expect(offset == 65_536)
      var highest = position
      for _ in 0..<2_000 {
        // Up to half the range away from the highest so far, either way.
        position = max(0, highest + Int64.random(in: -32_768...32_767, using: &random))
        let number = UInt16(truncatingIfNeeded: position)
        #expect(unwrapper.peek(number) == position + offset)
        #expect(unwrapper.unwrap(number) == position + offset)
        highest = max(highest, position)
        #expect(unwrapper.highest == highest + offset)
      }
    }
  }

  @Test("a sender may start anywhere: earlier packets have non-negative indices", arguments: [0, 1, 32_768, 65_535])
  func unwrappingStart(first: UInt16) {
    var unwrapper = SequenceUnwrapper()
    let index = unwrapper.unwrap(first)
    #expect(unwrapper.unwrap(first &- 1) == index - 1 && unwrapper.highest == index)
    #expect(unwrapper.unwrap(first &- 32_768) == index - 32_768)
    #expect(index - 32_768 >= 0)
  }

  @Test("the random sequence is SplitMix64's")
  func splitMix() {
    var random = SeededRandom(seed: 1_234_567)
    // The reference implementation's first numbers for this seed (prng.di.unimi.it/splitmix64.c).
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test("numbers are written and read in network order, at any alignment")
  func networkOrder() {
    let bytes = [UInt8](unsafeUninitializedCapacity: 19) { buffer, count in
      var output = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(buffer), initializedCount: 0)
      output.append(0xFF)
      output.appendBigEndian(UInt16(0x0102))
      output.appendBigEndian24(0xAA03_0405)
      output.appendBigEndian(UInt32(0x0607_0809))
      output.appendBigEndian(UInt64(0x0A0B_0C0D_0E0F_1011))
      output.append(contentsOf: ([0x12] as [UInt8]).span.bytes)
      count = output.finalize(for: UnsafeMutableRawBufferPointer(buffer))
    }
    #expect(bytes == [0xFF] + Array(1...0x12))
    let span = bytes.span.bytes
    #expect(span.uint16(at: 1) == 0x0102 && span.uint24(at: 3) == 0x0003_0405 && span.uint32(at: 6) == 0x0607_0809)
    #expect(span.uint64(at: 10) == 0x0A0B_0C0D_0E0F_1011 && span.uint8(at: 18) == 0x12)
    #expect(span.copy(1..<4) == [1, 2, 3] && span.copy(19..<19) == [])
  }
}
