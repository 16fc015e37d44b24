import COpenSSL

extension OpenSSLCrypto {
  /// HMAC-SHA256 (RFC 2104, FIPS 180-4): 32 bytes; nil only if the library fails.
  public static func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: 32)
    guard let keyCount = Int32(exactly: key.count),
      HMAC(EVP_sha256(), key, keyCount, message, message.count, &result, nil) != nil
    else { return nil }
    return result
  }
}
