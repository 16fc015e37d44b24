import COpenSSL
import SecureChannel

extension OpenSSLCrypto {
  /// Bytes of a private key, a public key and a shared secret of X25519.
  public static let x25519ByteCount = 32

  /// A new key pair for X25519 (RFC 7748), to be used once; `nil` if the library fails.
  public static func makeX25519KeyPair() -> (privateKey: [UInt8], publicKey: [UInt8])? {
    guard let privateKey = randomBytes(count: x25519ByteCount), let publicKey = x25519PublicKey(privateKey) else {
      return nil
    }
    return (privateKey, publicKey)
  }

  /// The public key of a private key; `nil` if that has not 32 bytes.
  public static func x25519PublicKey(_ privateKey: [UInt8]) -> [UInt8]? {
    guard privateKey.count == x25519ByteCount,
      let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, privateKey, x25519ByteCount)
    else { return nil }
    defer { EVP_PKEY_free(key) }
    var publicKey = [UInt8](repeating: 0, count: x25519ByteCount)
    var count = x25519ByteCount
    guard EVP_PKEY_get_raw_public_key(key, &publicKey, &count) == 1, count == x25519ByteCount else { return nil }
    return publicKey
  }

  /// What the owners of both private keys can compute (RFC 7748 section 6.1), 32 bytes. `nil` if a key has not 32 bytes,
  /// or if the other side's is one that makes every secret the same.
  public static func x25519(privateKey: [UInt8], publicKey: [UInt8]) -> [UInt8]? {
    guard privateKey.count == x25519ByteCount, publicKey.count == x25519ByteCount,
      let own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, privateKey, x25519ByteCount)
    else { return nil }
    defer { EVP_PKEY_free(own) }
    guard let other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, publicKey, x25519ByteCount) else { return nil }
    defer { EVP_PKEY_free(other) }
    guard let context = EVP_PKEY_CTX_new(own, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var secret = [UInt8](repeating: 0, count: x25519ByteCount)
    var count = x25519ByteCount
    guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other) == 1,
      EVP_PKEY_derive(context, &secret, &count) == 1, count == x25519ByteCount, secret.contains(where: { $0 != 0 })
    else { return nil }
    return secret
  }

  /// HKDF with SHA-256 (RFC 5869): `byteCount` bytes that follow from a secret and a context; `nil` if the library fails
  /// or for more than 8,160 bytes.
  public static func deriveKey(
    from secret: [UInt8], salt: [UInt8] = [], context: [UInt8], byteCount: Int
  ) -> [UInt8]? {
    let derivation = KeyDerivation(.sha256, crypto: provider)
    return derivation.extract(salt: salt, keyMaterial: secret)
      .flatMap { derivation.expand($0, info: context, byteCount: byteCount) }
  }
}
