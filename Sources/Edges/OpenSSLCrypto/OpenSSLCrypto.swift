import COpenSSL
public import SecureChannel

/// The cryptographic primitives of the protocols, by OpenSSL 3 (libcrypto).
public enum OpenSSLCrypto {
  /// The functions for the protocols. A context belongs to one thread at a time.
  public static let provider = CryptoProvider(
    makeGCM: { key, seals in makeContext(EVP_aes_128_gcm(), key: key, seals: seals) },
    freeGCM: { context in EVP_CIPHER_CTX_free(OpaquePointer(context)) },
    sealGCM: { context, nonce, associated, associatedLength, source, length, destination, tag in
      seal(OpaquePointer(context), nonce, associated, associatedLength, source, length, destination, tag)
    },
    openGCM: { context, nonce, associated, associatedLength, source, length, destination, tag in
      open(OpaquePointer(context), nonce, associated, associatedLength, source, length, destination, tag)
    },
    makeCounterMode: { key in makeCounterModeContext(key: key) },
    freeCounterMode: { context in EVP_CIPHER_CTX_free(OpaquePointer(context)) },
    runCounterMode: { context, counter, source, length, destination in
      runCounterMode(OpaquePointer(context), counter, source, length, destination)
    },
    makeHMAC: { key, keyLength in HMACSHA1Context.make(key: key, keyLength: keyLength) },
    freeHMAC: { context in HMACSHA1Context.free(context) },
    runHMAC: { context, message, length, result in HMACSHA1Context.run(context, message, length, result) },
    encryptBlock: { key, block, result in encryptBlock(key: key, block: block, result: result) },
    authenticateSHA1: { key, keyLength, message, messageLength, result in
      HMACSHA1Context.authenticate(key: key, keyLength: keyLength, message, messageLength, result)
    },
    frames: frames)

  /// Kept beside the rest: the compiler would take long for all in one expression.
  private static let frames = CryptoProvider.FrameFunctions(
    gcm256: CryptoProvider.GCM(
      make: { key, seals in makeContext(EVP_aes_256_gcm(), key: key, seals: seals) },
      free: { context in EVP_CIPHER_CTX_free(OpaquePointer(context)) },
      seal: { context, nonce, associated, associatedLength, source, length, destination, tag in
        OpenSSLCrypto.seal(
          OpaquePointer(context), nonce, associated, associatedLength, source, length, destination, tag)
      },
      open: { context, nonce, associated, associatedLength, source, length, destination, tag in
        OpenSSLCrypto.open(
          OpaquePointer(context), nonce, associated, associatedLength, source, length, destination, tag)
      }),
    authenticateSHA256: { key, keyLength, message, messageLength, result in
      guard let keyCount = Int32(exactly: keyLength), messageLength >= 0 else { return false }
      return HMAC(EVP_sha256(), key, keyCount, message, messageLength, result, nil) != nil
    },
    authenticateSHA512: { key, keyLength, message, messageLength, result in
      guard let keyCount = Int32(exactly: keyLength), messageLength >= 0 else { return false }
      return HMAC(EVP_sha512(), key, keyCount, message, messageLength, result, nil) != nil
    })

  /// `count` random bytes fit for keys; nil if the system's generator fails or `count` is negative.
  public static func randomBytes(count: Int) -> [UInt8]? {
    guard let amount = Int32(exactly: count), amount >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    guard amount == 0 || RAND_bytes(&bytes, amount) == 1 else { return nil }
    return bytes
  }
}
