public import SecureChannel

extension SFrameKey {
  /// The key of a base key for one KID (RFC 9605 section 4.4.2).
  public convenience init(
    baseKey: [UInt8], keyID: UInt64, suite: SFrameCipherSuite, seals: Bool, crypto: CryptoProvider
  ) throws(SFrameError) {
    let derivation = KeyDerivation(suite.hash, crypto: crypto)
    func label(_ text: String) -> [UInt8] {
      Array(text.utf8) + withUnsafeBytes(of: keyID.bigEndian) { Array($0) }
        + withUnsafeBytes(of: suite.rawValue.bigEndian) { Array($0) }
    }
    guard let secret = derivation.extract(salt: [], keyMaterial: baseKey),
      let key = derivation.expand(secret, info: label("SFrame 1.0 Secret key "), byteCount: suite.keyByteCount),
      let salt = derivation.expand(
        secret, info: label("SFrame 1.0 Secret salt "), byteCount: Self.nonceByteCount)
    else { throw .cryptoFailed }
    try self.init(key, salt: salt, suite: suite, seals: seals, crypto: crypto)
  }

  /// The base key after one step of the ratchet (RFC 9605 section 5.1): the one before does not follow from it.
  public static func ratchet(
    _ baseKey: [UInt8], suite: SFrameCipherSuite, crypto: CryptoProvider
  ) throws(SFrameError) -> [UInt8] {
    let derivation = KeyDerivation(suite.hash, crypto: crypto)
    guard let secret = derivation.extract(salt: [], keyMaterial: baseKey),
      let next = derivation.expand(
        secret, info: Array("SFrame 1.0 Ratchet".utf8), byteCount: suite.hash.byteCount)
    else { throw .cryptoFailed }
    return next
  }
}
