import Glibc

/// Writes 8x8 blocks of a baseline JPEG scan (ITU-T T.81 annexes A and F).
struct JPEGBlockCoder {
  private(set) var bytes: [UInt8] = []
  private var buffer: UInt32 = 0
  private var bitCount = 0

  /// Natural positions in the order in which coefficients are written (figure A.6).
  static let zigzag: [Int] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
    55, 62, 63,
  ]

  /// `cosines[u * 8 + x]`: the basis of the transform with its scale (A.3.3).
  private static let cosines: [Float] = (0..<64).map { index in
    let (u, x) = (Double(index / 8), Double(index % 8))
    let scale = u == 0 ? 1 / 8.0.squareRoot() : 0.5
    return Float(scale * cos((2 * x + 1) * u * Double.pi / 16))
  }

  /// Transforms, quantises and writes a block of samples around 0; returns its quantised mean for the next difference.
  mutating func write(
    _ samples: [Float], quantization: [Int], previousDC: Int, dc: JPEGHuffmanTable, ac: JPEGHuffmanTable
  ) -> Int {
    let coefficients = Self.transform(samples)
    var values = [Int](repeating: 0, count: 64)
    for index in 0..<64 {
      let natural = Self.zigzag[index]
      values[index] = Int((coefficients[natural] / Float(quantization[natural])).rounded())
    }
    writeValue(values[0] - previousDC, run: 0, table: dc)
    var run = 0
    for value in values[1...] {
      if value == 0 {
        run += 1
        continue
      }
      while run > 15 {
        writeSymbol(0xF0, table: ac)
        run -= 16
      }
      writeValue(value, run: run, table: ac)
      run = 0
    }
    if run > 0 { writeSymbol(0, table: ac) }
    return values[0]
  }

  /// Fills the last byte with ones.
  mutating func finish() { if bitCount > 0 { write(bits: 0x7F, count: 7) } }

  private static func transform(_ samples: [Float]) -> [Float] {
    var rows = [Float](repeating: 0, count: 64)
    for y in 0..<8 {
      for u in 0..<8 {
        var sum: Float = 0
        for x in 0..<8 { sum += samples[y * 8 + x] * cosines[u * 8 + x] }
        rows[y * 8 + u] = sum
      }
    }
    var result = [Float](repeating: 0, count: 64)
    for v in 0..<8 {
      for u in 0..<8 {
        var sum: Float = 0
        for y in 0..<8 { sum += rows[y * 8 + u] * cosines[v * 8 + y] }
        result[v * 8 + u] = sum
      }
    }
    return result
  }

  /// A run of zeros and a value: symbol, then the value's bits (F.1.2).
  private mutating func writeValue(_ value: Int, run: Int, table: JPEGHuffmanTable) {
    let size = Int.bitWidth - abs(value).leadingZeroBitCount
    writeSymbol(UInt8(run << 4 | size), table: table)
    if size > 0 { write(bits: UInt32(value < 0 ? value + (1 << size) - 1 : value), count: size) }
  }

  private mutating func writeSymbol(_ symbol: UInt8, table: JPEGHuffmanTable) {
    let (code, length) = table.codes[Int(symbol)]
    write(bits: code, count: length)
  }

  private mutating func write(bits: UInt32, count: Int) {
    buffer = buffer << UInt32(count) | bits
    bitCount += count
    while bitCount >= 8 {
      let byte = UInt8(truncatingIfNeeded: buffer >> UInt32(bitCount - 8))
      bytes.append(byte)
      // A zero follows what would look like a marker (B.1.1.5).
      if byte == 0xFF { bytes.append(0) }
      bitCount -= 8
    }
    buffer &= (1 << UInt32(bitCount)) - 1
  }
}
