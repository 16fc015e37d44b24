/// The CRC-32 of ITU-T V.42, byte by byte.
private let remainders: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value &>> 1 ^ 0xEDB8_8320 : value &>> 1 }
}

/// The value of FINGERPRINT over `bytes` (RFC 8489 section 14.7): the CRC-32, XORed with "STUN".
func fingerprint(of bytes: RawSpan) -> UInt32 {
  var crc: UInt32 = 0xFFFF_FFFF
  let table = remainders.span
  for offset in 0..<bytes.byteCount {
    let byte = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    crc = crc &>> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)]
  }
  return ~crc ^ 0x5354_554E
}
