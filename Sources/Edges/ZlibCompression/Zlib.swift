import CZlib

/// Data in zlib's format (RFC 1950), by zlib; for short texts as a whole.
public enum Zlib {
  /// Compresses; nil if there is no memory.
  public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var length = compressBound(UInt(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(length))
    guard compress2(&result, &length, bytes, UInt(bytes.count), Z_BEST_COMPRESSION) == Z_OK else { return nil }
    return Array(result[..<Int(length)])
  }

  /// Decompresses; nil if the bytes are not one whole stream, would become longer than `limit`, or have bits set that
  /// mean nothing. So no two inputs that differ in a single bit give the same result.
  public static func decompress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    // Deflate without a dictionary, and the check bits (RFC 1950 section 2.2).
    guard bytes.count >= 8, limit > 0, limit < 1 << 24, bytes.count < 1 << 24, bytes[0] & 0x0F == 8,
      bytes[1] & 0x20 == 0, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
    else { return nil }
    let body = Array(bytes[2..<bytes.count - 4])
    guard let result = inflateStrictly(body, limit: limit) else { return nil }
    let stored = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return adler32(adler32(0, nil, 0), result, UInt32(result.count)) == UInt(stored) ? result : nil
  }

  /// Bare deflate (RFC 1951), block by block, to see the bits between blocks.
  private static func inflateStrictly(_ input: [UInt8], limit: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var source = input
    var result = [UInt8](repeating: 0, count: limit)
    return source.withUnsafeMutableBufferPointer { source in
      let length: Int? = result.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        guard hasOnlyMeaningfulBits(UnsafeBufferPointer(source), bit: 0) else { return nil }
        while true {
          let code = inflate(&stream, Z_BLOCK)
          if code == Z_STREAM_END { return stream.avail_in == 0 ? target.count - Int(stream.avail_out) : nil }
          guard code == Z_OK else { return nil }
          // At the end of a block, or not.
          guard stream.data_type & 128 != 0 else { continue }
          let bit = (source.count - Int(stream.avail_in)) * 8 - Int(stream.data_type & 7)
          let isLast = stream.data_type & 64 != 0
          guard
            isLast
              ? isBlank(UnsafeBufferPointer(source), from: bit)
              : hasOnlyMeaningfulBits(UnsafeBufferPointer(source), bit: bit)
          else { return nil }
        }
      }
      return length.map { Array(result[..<$0]) }
    }
  }

  /// Whether the block that begins at `bit`, if it is stored, has no bit set up to the byte where its length is (RFC 1951
  /// section 3.2.4).
  private static func hasOnlyMeaningfulBits(_ source: UnsafeBufferPointer<UInt8>, bit: Int) -> Bool {
    func value(_ position: Int) -> Int {
      position / 8 < source.count ? Int(source[position / 8] >> (position % 8) & 1) : 0
    }
    return value(bit + 1) != 0 || value(bit + 2) != 0 || isBlank(source, from: bit + 3)
  }

  /// Whether no bit from `bit` to the end of its byte is set.
  private static func isBlank(_ source: UnsafeBufferPointer<UInt8>, from bit: Int) -> Bool {
    bit % 8 == 0 || bit / 8 >= source.count || source[bit / 8] >> (bit % 8) == 0
  }
}
