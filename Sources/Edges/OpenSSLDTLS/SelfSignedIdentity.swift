import COpenSSL

/// A key and a certificate for it, as WebRTC wants them: nobody vouches for it but its fingerprint.
final class SelfSignedIdentity {
  let key: OpaquePointer
  let certificate: OpaquePointer

  /// Some years; clocks of peers may be wrong by a day.
  private static let validity: (from: Int, to: Int) = (-86_400, 5 * 365 * 86_400)

  init?() {
    guard let key = Self.makeKey(), let certificate = X509_new() else { return nil }
    self.key = key
    self.certificate = certificate
    var serial: [UInt8] = Array(repeating: 0, count: 8)
    guard RAND_bytes(&serial, 8) == 1 else { return nil }
    let number = serial.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1
    guard let name = X509_get_subject_name(certificate),
      X509_set_version(certificate, 2) == 1, ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number) == 1,
      X509_gmtime_adj(X509_getm_notBefore(certificate), Self.validity.from) != nil,
      X509_gmtime_adj(X509_getm_notAfter(certificate), Self.validity.to) != nil,
      X509_set_pubkey(certificate, key) == 1,
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "greenroom", -1, -1, 0) == 1,
      X509_set_issuer_name(certificate, name) == 1, X509_sign(certificate, key, EVP_sha256()) > 0
    else { return nil }
  }

  private static func makeKey() -> OpaquePointer? {
    guard let generator = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { EVP_PKEY_CTX_free(generator) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(generator) == 1, EVP_PKEY_CTX_set_group_name(generator, "P-256") == 1,
      EVP_PKEY_generate(generator, &key) == 1
    else { return nil }
    return key
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  var fingerprint: [UInt8] { Self.fingerprint(of: certificate) }

  /// SHA-256 of a certificate's DER form; empty if the library cannot.
  static func fingerprint(of certificate: OpaquePointer) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 32
    return X509_digest(certificate, EVP_sha256(), &bytes, &length) == 1 ? bytes : []
  }
}
