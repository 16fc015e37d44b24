import COpenSSL

/// HMAC-SHA1 (RFC 2104) with the two padded keys hashed in advance. OpenSSL's own (EVP_MAC, HMAC_CTX and EVP_MD_CTX alike)
/// allocates for each message, and takes a fifth longer for one of a packet's length.
enum HMACSHA1Context {
  /// Three states one behind the other: after the inner key, after the outer key, and that of the message.
  private static let stateCount = 3
  private static let blockLength = 64

  static func make(key: UnsafePointer<UInt8>, keyLength: Int) -> UnsafeMutableRawPointer? {
    // A longer key would be hashed first; SRTP's has 20 bytes.
    guard (0...blockLength).contains(keyLength) else { return nil }
    let states = UnsafeMutablePointer<SHA_CTX>.allocate(capacity: stateCount)
    states.initialize(repeating: SHA_CTX(), count: stateCount)
    guard begin(states, key, keyLength, padding: 0x36), begin(states + 1, key, keyLength, padding: 0x5C) else {
      free(states)
      return nil
    }
    return UnsafeMutableRawPointer(states)
  }

  private static func begin(
    _ state: UnsafeMutablePointer<SHA_CTX>, _ key: UnsafePointer<UInt8>, _ keyLength: Int, padding: UInt8
  ) -> Bool {
    var block = [UInt8](repeating: padding, count: blockLength)
    for position in 0..<keyLength { block[position] ^= key[position] }
    defer { OPENSSL_cleanse(&block, blockLength) }
    return greenroom_sha1_init(state) == 1 && greenroom_sha1_update(state, block, blockLength) == 1
  }

  static func free(_ context: UnsafeMutableRawPointer) {
    OPENSSL_cleanse(context, stateCount * MemoryLayout<SHA_CTX>.stride)
    context.deallocate()
  }

  static func run(
    _ context: UnsafeMutableRawPointer, _ message: UnsafePointer<UInt8>, _ length: Int,
    _ result: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard length >= 0 else { return false }
    let states = context.assumingMemoryBound(to: SHA_CTX.self)
    let state = states + 2
    state.update(from: states, count: 1)
    guard greenroom_sha1_update(state, message, length) == 1, greenroom_sha1_final(result, state) == 1 else {
      return false
    }
    state.update(from: states + 1, count: 1)
    return greenroom_sha1_update(state, result, 20) == 1 && greenroom_sha1_final(result, state) == 1
  }
}
