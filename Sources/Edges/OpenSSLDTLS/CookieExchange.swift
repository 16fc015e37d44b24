import COpenSSL
import MediaBase

/// How a server learns that a client gets what is sent to its address: it answers a first message with a cookie, which the
/// client has to repeat from there (RFC 6347 section 4.2.1). Cookies are good for one association and one address.
///
/// A wrong cookie ends nothing, or who writes a client's address on a message could end its association; it proves nothing
/// either.
struct CookieExchange {
  /// From where the message that is being read has come, if that needs a proof.
  var unproved: TransportAddress?
  /// From where a cookie has come back that was sent there.
  private(set) var proved: TransportAddress?
  /// Only there once it is needed.
  private var secret: [UInt8] = []

  private static let secretByteCount = 16
  private static let cookieByteCount = 32

  /// Has OpenSSL come here for cookies.
  static func prepare(_ context: OpaquePointer) {
    SSL_CTX_set_cookie_generate_cb(context) { ssl, destination, length in
      guard let bio = DatagramBIO.of(SSL_get_rbio(ssl)), let destination, let length,
        let cookie = bio.cookies.makeCookie()
      else { return 0 }
      for (position, byte) in cookie.enumerated() { destination[position] = byte }
      length.pointee = UInt32(cookie.count)
      return 1
    }
    SSL_CTX_set_cookie_verify_cb(context) { ssl, bytes, length in
      if let bio = DatagramBIO.of(SSL_get_rbio(ssl)), let bytes {
        bio.cookies.check(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
      }
      return 1
    }
  }

  /// A cookie for `unproved`; `nil` if there is nothing to prove, or the system gives no random numbers.
  private mutating func makeCookie() -> [UInt8]? {
    if secret.isEmpty {
      var random = [UInt8](repeating: 0, count: Self.secretByteCount)
      guard RAND_bytes(&random, Int32(random.count)) == 1 else { return nil }
      secret = random
    }
    return unproved.flatMap(cookie(for:))
  }

  private mutating func check(_ bytes: UnsafeRawBufferPointer) {
    guard let address = unproved, !secret.isEmpty, let cookie = cookie(for: address), bytes.count == cookie.count,
      CRYPTO_memcmp(bytes.baseAddress, cookie, cookie.count) == 0
    else { return }
    proved = address
  }

  private func cookie(for address: TransportAddress) -> [UInt8]? {
    var message = [address.family.rawValue, address.transport.rawValue]
    for number in [address.high, address.low, UInt64(address.port)] {
      withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
    }
    var digest = [UInt8](repeating: 0, count: Self.cookieByteCount)
    let result = HMAC(EVP_sha256(), secret, Int32(secret.count), message, message.count, &digest, nil)
    return result == nil ? nil : digest
  }
}
