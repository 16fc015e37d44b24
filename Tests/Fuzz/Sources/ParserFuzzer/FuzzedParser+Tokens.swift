import AccessTokens
import Foundation
import OpenSSLCrypto
import ZlibCompression

extension FuzzedParser {
  /// Tokens whose content is the input: random bytes would nearly never be a compressed stream.
  static func readToken(_ input: [UInt8]) {
    let crypto = AccessTokenCrypto(
      hmacSHA256: { OpenSSLCrypto.hmacSHA256(key: $0, message: $1) }, compress: { $0 },
      decompress: { bytes, limit in bytes.count <= limit ? bytes : nil })
    _ = try? SignedAccessToken(parsing: String(decoding: input, as: UTF8.self), crypto: crypto)
    let text = "007" + Data(input).base64EncodedString()
    guard let signed = try? SignedAccessToken(parsing: text, crypto: crypto) else { return }
    let certificate = String(repeating: "0", count: 32)
    _ = signed.isSigned(with: certificate, crypto: crypto)
    // What is a token can be made again, and says the same.
    guard AccessToken.isSecret(signed.token.appID), signed.token.services.count <= 2,
      let again = try? signed.token.text(certificate: certificate, crypto: crypto)
    else { return }
    guard let read = try? SignedAccessToken(parsing: again, crypto: crypto),
      Set(read.token.services) == Set(signed.token.services)
    else { fatalError("a token changes when it is made again") }
  }

  static func decompress(_ input: [UInt8]) {
    guard let bytes = Zlib.decompress(input, limit: 8_192) else { return }
    guard bytes.count <= 8_192, let again = Zlib.compress(bytes), Zlib.decompress(again, limit: 8_192) == bytes else {
      fatalError("a stream changes when it is made again")
    }
  }
}
