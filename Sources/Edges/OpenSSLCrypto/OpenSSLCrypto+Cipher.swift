import COpenSSL

extension OpenSSLCrypto {
  /// A context with the key schedule made: a packet then sets the nonce only, which is the cheap part.
  static func makeContext(
    _ cipher: OpaquePointer?, key: UnsafePointer<UInt8>, seals: Bool
  ) -> UnsafeMutableRawPointer? {
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    guard EVP_CipherInit_ex(context, cipher, nil, key, nil, seals ? 1 : 0) == 1 else {
      EVP_CIPHER_CTX_free(context)
      return nil
    }
    return UnsafeMutableRawPointer(context)
  }

  static func seal(
    _ context: OpaquePointer, _ nonce: UnsafePointer<UInt8>, _ associated: UnsafePointer<UInt8>,
    _ associatedLength: Int, _ source: UnsafePointer<UInt8>, _ length: Int,
    _ destination: UnsafeMutablePointer<UInt8>, _ tag: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let associatedCount = Int32(exactly: associatedLength), let count = Int32(exactly: length) else {
      return false
    }
    var written: Int32 = 0
    guard EVP_EncryptInit_ex(context, nil, nil, nil, nonce) == 1,
      EVP_EncryptUpdate(context, nil, &written, associated, associatedCount) == 1,
      count == 0 || EVP_EncryptUpdate(context, destination, &written, source, count) == 1
    else { return false }
    // GCM writes nothing here, but wants an address. The tag is asked for without EVP_CIPHER_CTX_ctrl, which looks the
    // same parameter up in a slower way.
    return EVP_EncryptFinal_ex(context, tag, &written) == 1 && greenroom_gcm_tag(context, tag) == 1
  }

  static func open(
    _ context: OpaquePointer, _ nonce: UnsafePointer<UInt8>, _ associated: UnsafePointer<UInt8>,
    _ associatedLength: Int, _ source: UnsafePointer<UInt8>, _ length: Int,
    _ destination: UnsafeMutablePointer<UInt8>, _ tag: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let associatedCount = Int32(exactly: associatedLength), let count = Int32(exactly: length) else {
      return false
    }
    var written: Int32 = 0
    guard EVP_DecryptInit_ex(context, nil, nil, nil, nonce) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1,
      EVP_DecryptUpdate(context, nil, &written, associated, associatedCount) == 1,
      count == 0 || EVP_DecryptUpdate(context, destination, &written, source, count) == 1
    else { return false }
    return EVP_DecryptFinal_ex(context, tag, &written) == 1
  }

  static func makeCounterModeContext(key: UnsafePointer<UInt8>) -> UnsafeMutableRawPointer? {
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    guard EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), nil, key, nil) == 1 else {
      EVP_CIPHER_CTX_free(context)
      return nil
    }
    return UnsafeMutableRawPointer(context)
  }

  /// Both directions: in counter mode they are one.
  static func runCounterMode(
    _ context: OpaquePointer, _ counter: UnsafePointer<UInt8>, _ source: UnsafePointer<UInt8>, _ length: Int,
    _ destination: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let count = Int32(exactly: length) else { return false }
    var written: Int32 = 0
    return EVP_EncryptInit_ex(context, nil, nil, nil, counter) == 1
      && (count == 0 || EVP_EncryptUpdate(context, destination, &written, source, count) == 1)
  }

  static func encryptBlock(
    key: UnsafePointer<UInt8>, block: UnsafePointer<UInt8>, result: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let context = EVP_CIPHER_CTX_new() else { return false }
    defer { EVP_CIPHER_CTX_free(context) }
    var written: Int32 = 0
    return EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, key, nil) == 1
      && EVP_CIPHER_CTX_set_padding(context, 0) == 1
      && EVP_EncryptUpdate(context, result, &written, block, 16) == 1 && written == 16
  }
}
