import COpenSSL

/// HMAC-SHA1 (RFC 2104) with the two padded keys hashed in advance. OpenSSL's own (EVP_MAC, HMAC_CTX and EVP_MD_CTX alike)
/// allocates for each message, and takes a fifth longer for one of a packet's length.
enum HMACSHA1Context {
  /// Three states one behind the other: after the inner key, after the outer key, and that of the message.
  private static let stateCount = 3
  private static let blockLength = 64

  /// - Parameter keyLength: at most 64; a longer key would have to be hashed first, and SRTP's have 20 bytes.
  static func make(key: UnsafePointer<UInt8>, keyLength: Int) -> UnsafeMutableRawPointer? {
    let states = UnsafeMutablePointer<SHA_CTX>.allocate(capacity: stateCount)
    states.initialize(repeating: SHA_CTX(), count: stateCount)
    guard begin(states, key, keyLength) else {
      free(states)
      return nil
    }
    return UnsafeMutableRawPointer(states)
  }

  /// Puts the first two states where the padded keys have been hashed.
  private static func begin(
    _ states: UnsafeMutablePointer<SHA_CTX>, _ key: UnsafePointer<UInt8>, _ keyLength: Int
  ) -> Bool {
    guard (0...blockLength).contains(keyLength) else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: blockLength) { block in
      defer { OPENSSL_cleanse(block.baseAddress, blockLength) }
      for position in 0..<2 {
        let padding: UInt8 = position == 0 ? 0x36 : 0x5C
        block.initialize(repeating: padding)
        for place in 0..<keyLength { block[place] ^= key[place] }
        guard greenroom_sha1_init(states + position) == 1,
          greenroom_sha1_update(states + position, block.baseAddress, blockLength) == 1
        else { return false }
      }
      return true
    }
  }

  static func free(_ context: UnsafeMutableRawPointer) {
    OPENSSL_cleanse(context, stateCount * MemoryLayout<SHA_CTX>.stride)
    context.deallocate()
  }

  static func run(
    _ context: UnsafeMutableRawPointer, _ message: UnsafePointer<UInt8>, _ length: Int,
    _ result: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    run(context.assumingMemoryBound(to: SHA_CTX.self), message, length, result)
  }

  private static func run(
    _ states: UnsafeMutablePointer<SHA_CTX>, _ message: UnsafePointer<UInt8>, _ length: Int,
    _ result: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard length >= 0 else { return false }
    let state = states + 2
    state.update(from: states, count: 1)
    guard greenroom_sha1_update(state, message, length) == 1, greenroom_sha1_final(result, state) == 1 else {
      return false
    }
    state.update(from: states + 1, count: 1)
    return greenroom_sha1_update(state, result, 20) == 1 && greenroom_sha1_final(result, state) == 1
  }

  /// A message under a key of its own, with states on the stack.
  static func authenticate(
    key: UnsafePointer<UInt8>, keyLength: Int, _ message: UnsafePointer<UInt8>, _ length: Int,
    _ result: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: SHA_CTX.self, capacity: stateCount) { memory in
      guard let states = memory.baseAddress else { return false }
      memory.initialize(repeating: SHA_CTX())
      defer { OPENSSL_cleanse(states, stateCount * MemoryLayout<SHA_CTX>.stride) }
      if keyLength <= blockLength { return begin(states, key, keyLength) && run(states, message, length, result) }
      // RFC 2104 section 2. ICE allows passwords of 256 characters.
      guard greenroom_sha1_init(states) == 1, greenroom_sha1_update(states, key, keyLength) == 1,
        greenroom_sha1_final(result, states) == 1, begin(states, result, 20)
      else { return false }
      return run(states, message, length, result)
    }
  }
}
