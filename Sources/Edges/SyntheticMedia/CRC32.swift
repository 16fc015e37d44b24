/// The CRC-32 of Ethernet and ISO 3309 (polynomial 0xEDB88320 reflected).
enum CRC32 {
  /// Over the low six bytes of `value`, most significant first.
  static func checksum(of value: UInt64) -> UInt32 {
    var remainder: UInt32 = 0xFFFF_FFFF
    for shift in stride(from: 40, through: 0, by: -8) {
      remainder ^= UInt32(truncatingIfNeeded: value >> UInt64(shift)) & 0xFF
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~remainder
  }
}
