import SecureChannel

/// One key of one sender, ready for use in one direction: its cached context, its salt, and the place where nonces are
/// built. A frame costs no allocation here with the GCM suites.
public final class SFrameKey {
  /// Bytes of a salt and of a nonce (Nn).
  static let nonceByteCount = 12

  /// How it encrypts.
  public let suite: SFrameCipherSuite
  private let context: UnsafeMutableRawPointer
  private let authenticationKey: [UInt8]
  private let seals: Bool
  private let crypto: CryptoProvider
  private let gcm: CryptoProvider.GCM
  private let saltHigh: UInt32
  private let saltLow: UInt64
  /// 12 bytes of nonce; in counter mode 4 more for the number of the block.
  private let nonce: UnsafeMutablePointer<UInt8>
  /// What is authenticated in counter mode, in one piece.
  private var message: [UInt8] = []

  /// - Parameters:
  ///   - key: as long as the suite says.
  ///   - salt: 12 bytes.
  ///   - seals: true to encrypt, false to decrypt.
  init(_ key: [UInt8], salt: [UInt8], suite: SFrameCipherSuite, seals: Bool, crypto: CryptoProvider) throws(SFrameError)
  {
    guard key.count == suite.keyByteCount, salt.count == Self.nonceByteCount else { throw .cryptoFailed }
    gcm = suite == .aes256GCMSHA512 ? crypto.frames.gcm256 : crypto.gcm128
    let context =
      switch suite {
      case .aes128GCMSHA256, .aes256GCMSHA512: gcm.make(key, seals)
      default: crypto.makeCounterMode(key)
      }
    guard let context else { throw .cryptoFailed }
    self.suite = suite
    self.context = context
    authenticationKey = suite.hasAuthenticationKey ? Array(key[16...]) : []
    self.seals = seals
    self.crypto = crypto
    saltHigh = salt[..<4].reduce(0) { $0 &<< 8 | UInt32($1) }
    saltLow = salt[4...].reduce(0) { $0 &<< 8 | UInt64($1) }
    nonce = .allocate(capacity: 16)
    nonce.initialize(repeating: 0, count: 16)
  }

  deinit {
    if suite.hasAuthenticationKey { crypto.freeCounterMode(context) } else { gcm.free(context) }
    nonce.update(repeating: 0, count: 16)
    nonce.deallocate()
  }

  /// Encrypts `length` bytes from `source` to `destination`, which do not overlap, and puts the tag behind; false if the
  /// library failed. `associated` is authenticated too.
  func seal(
    counter: UInt64, associated: [UInt8], source: UnsafePointer<UInt8>, length: Int,
    destination: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard seals else { return false }
    setNonce(counter)
    let tag = destination + length
    guard suite.hasAuthenticationKey else {
      return gcm.seal(context, nonce, associated, associated.count, source, length, destination, tag)
    }
    guard crypto.runCounterMode(context, nonce, source, length, destination),
      let full = authenticate(associated, UnsafePointer(destination), length)
    else { return false }
    for position in 0..<suite.tagByteCount { tag[position] = full[position] }
    return true
  }

  /// Decrypts `length` bytes from `source`, behind which the tag stands, to `destination`; false if the tag does not
  /// match, and then the output must not be used. The tag's bytes may be overwritten.
  func open(
    counter: UInt64, associated: [UInt8], source: UnsafePointer<UInt8>, length: Int,
    destination: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard !seals else { return false }
    setNonce(counter)
    guard suite.hasAuthenticationKey else {
      // The library wants the tag where it could write it.
      var tag: (UInt64, UInt64) = (0, 0)
      return withUnsafeMutableBytes(of: &tag) { tag in
        tag.copyMemory(from: UnsafeRawBufferPointer(start: source + length, count: 16))
        guard let bytes = tag.bindMemory(to: UInt8.self).baseAddress else { return false }
        return gcm.open(context, nonce, associated, associated.count, source, length, destination, bytes)
      }
    }
    guard let full = authenticate(associated, source, length) else { return false }
    // All bytes are compared, so that the time does not tell where they differ.
    var difference: UInt8 = 0
    for position in 0..<suite.tagByteCount { difference |= full[position] ^ source[length + position] }
    return difference == 0 && crypto.runCounterMode(context, nonce, source, length, destination)
  }

  /// RFC 9605 section 4.4.3: the salt, exclusive or the counter.
  private func setNonce(_ counter: UInt64) {
    let place = UnsafeMutableRawPointer(nonce)
    place.storeBytes(of: saltHigh.bigEndian, as: UInt32.self)
    place.storeBytes(of: (saltLow ^ counter).bigEndian, toByteOffset: 4, as: UInt64.self)
    place.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
  }

  /// RFC 9605 section 4.5.1: HMAC of the three lengths, the nonce, what is associated, and the ciphertext.
  private func authenticate(_ associated: [UInt8], _ text: UnsafePointer<UInt8>, _ length: Int) -> [UInt8]? {
    message.removeAll(keepingCapacity: true)
    for number in [associated.count, length, suite.tagByteCount] {
      withUnsafeBytes(of: UInt64(number).bigEndian) { message.append(contentsOf: $0) }
    }
    message.append(contentsOf: UnsafeBufferPointer(start: nonce, count: Self.nonceByteCount))
    message.append(contentsOf: associated)
    message.append(contentsOf: UnsafeBufferPointer(start: text, count: length))
    return KeyDerivation(.sha256, crypto: crypto).hmac(key: authenticationKey, message: message)
  }
}
