/// SHA-1 (FIPS 180-4), slow and plain, so that these tests need no crypto library.
private func sha1(_ input: [UInt8]) -> [UInt8] {
  var message = input + [0x80]
  while message.count % 64 != 56 { message.append(0) }
  message += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(input.count * 8) >> UInt64(56 - $0 * 8)) }
  var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
  func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
  for block in stride(from: 0, to: message.count, by: 64) {
    var words = (0..<16).map { word in
      message[block + word * 4..<block + word * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let mix: UInt32
      let constant: UInt32
      switch index / 20 {
      case 0: (mix, constant) = (b & c | ~b & d, 0x5A82_7999)
      case 1: (mix, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
      case 2: (mix, constant) = (b & c | b & d | c & d, 0x8F1B_BCDC)
      default: (mix, constant) = (b ^ c ^ d, 0xCA62_C1D6)
      }
      let next = rotate(a, 5) &+ mix &+ e &+ constant &+ words[index]
      (a, b, c, d, e) = (next, a, rotate(b, 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }
  return state.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
}

/// HMAC-SHA1 (RFC 2104) for keys of at most 64 bytes.
func hmacSHA1(
  _ key: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer, _ digest: UnsafeMutableRawBufferPointer
) -> Bool {
  let padded = Array(key) + [UInt8](repeating: 0, count: 64 - key.count)
  let inner = sha1(padded.map { $0 ^ 0x36 } + Array(message))
  digest.copyBytes(from: sha1(padded.map { $0 ^ 0x5C } + inner))
  return true
}
