import COpenSSL
public import MediaBase
public import SecureChannel

/// DTLS 1.2 by OpenSSL 3, with a self-signed certificate of its own (ECDSA on P-256) that is made anew each time.
public final class OpenSSLDTLS: DTLSProvider, @unchecked Sendable {
  // @unchecked: the context is set up once and then only read; OpenSSL counts references to it itself.

  /// SHA-256 of the certificate.
  public let fingerprint: [UInt8]
  private let context: OpaquePointer

  /// Values of macros that Swift does not see.
  enum Control {
    static let minimumVersion: Int32 = 123
    static let maximumVersion: Int32 = 124
    static let dtls12 = 0xFEFD
    static let noQueryMTU: UInt64 = 1 << 12
    static let cookieExchange: UInt64 = 1 << 13
    static let noTicket: UInt64 = 1 << 14
    static let noRenegotiation: UInt64 = 1 << 30
  }

  /// Makes a key and a certificate. `profiles` are those that are offered, or accepted, best first. `nil` if there are none
  /// or the library cannot.
  public init?(profiles: [SRTPProtectionProfile] = [.aeadAES128GCM, .aes128CounterSHA1_80]) {
    guard let identity = SelfSignedIdentity(), let context = SSL_CTX_new(DTLS_method()) else { return nil }
    self.context = context
    fingerprint = identity.fingerprint
    let isReady =
      SSL_CTX_use_certificate(context, identity.certificate) == 1
      && SSL_CTX_use_PrivateKey(context, identity.key) == 1
      && SSL_CTX_ctrl(context, Control.minimumVersion, Control.dtls12, nil) == 1
      && SSL_CTX_ctrl(context, Control.maximumVersion, Control.dtls12, nil) == 1
      && SSL_CTX_set_cipher_list(
        context, "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES256-GCM-SHA384") == 1
      // Answers 0 for success, unlike all others.
      && SSL_CTX_set_tlsext_use_srtp(context, Self.names(of: profiles)) == 0
    // The context is freed by `deinit`, which runs for a failure here too.
    guard isReady else { return nil }
    SSL_CTX_set_options(context, Control.noQueryMTU | Control.noTicket | Control.noRenegotiation)
    // The certificate is compared with the announced fingerprint after the handshake: who signed it means nothing.
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT) { _, _ in 1 }
    CookieExchange.prepare(context)
    // A handshake is never resumed, and what it takes to do so would be kept for each peer.
    SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
  }

  /// OpenSSL's names, with colons between them.
  private static func names(of profiles: [SRTPProtectionProfile]) -> String {
    profiles.map { profile in
      switch profile {
      case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
      case .aes128CounterSHA1_80: "SRTP_AES128_CM_SHA1_80"
      }
    }.joined(separator: ":")
  }

  deinit { SSL_CTX_free(context) }

  /// Makes one side of an association.
  public func makeEndpoint(isClient: Bool, remoteFingerprint: [UInt8], now: MediaInstant) -> (any DTLSEndpoint)? {
    OpenSSLDTLSEndpoint(context: context, isClient: isClient, remoteFingerprint: remoteFingerprint, now: now)
  }
}
