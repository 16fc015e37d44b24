public import AccessTokens
import OpenSSLCrypto
import ZlibCompression

extension AccessTokenCrypto {
  /// By OpenSSL and zlib.
  public static let system = AccessTokenCrypto(
    hmacSHA256: { OpenSSLCrypto.hmacSHA256(key: $0, message: $1) }, compress: { Zlib.compress($0) },
    decompress: { Zlib.decompress($0, limit: $1) })
}
