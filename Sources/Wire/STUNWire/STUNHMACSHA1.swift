/// Computes HMAC-SHA1 of `message` under `key` into the 20 bytes of `digest`; given by the crypto provider. Answers whether
/// it could.
public typealias STUNHMACSHA1 = (
  _ key: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer, _ digest: UnsafeMutableRawBufferPointer
) -> Bool

/// The 20-byte HMAC-SHA1 of `message` under the UTF-8 bytes of `password` (short-term credentials); `nil` if it could not be
/// computed.
func messageIntegrity(of message: [UInt8], password: String, hmacSHA1: STUNHMACSHA1) -> [UInt8]? {
  var digest = [UInt8](repeating: 0, count: 20)
  let key = Array(password.utf8)
  let isDone = key.withUnsafeBytes { key in
    message.withUnsafeBytes { message in
      digest.withUnsafeMutableBytes { hmacSHA1(key, message, $0) }
    }
  }
  return isDone ? digest : nil
}

/// The value of FINGERPRINT over `bytes` (RFC 8489 section 14.7): the CRC-32 of ITU-T V.42, XORed with "STUN".
func fingerprint(of bytes: RawSpan) -> UInt32 {
  var crc: UInt32 = 0xFFFF_FFFF
  for offset in 0..<bytes.byteCount {
    crc ^= UInt32(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc &>> 1 ^ 0xEDB8_8320 : crc &>> 1 }
  }
  return ~crc ^ 0x5354_554E
}
