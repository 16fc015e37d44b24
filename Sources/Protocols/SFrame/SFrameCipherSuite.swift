public import SecureChannel

/// How frames are encrypted (RFC 9605 section 4.5). The raw values are those of the IANA registry.
public enum SFrameCipherSuite: UInt16, Sendable, CaseIterable {
  /// AES-128 in counter mode with HMAC-SHA256; tags of 10 bytes.
  case aes128CTRHMACSHA256Tag80 = 1
  /// AES-128 in counter mode with HMAC-SHA256; tags of 8 bytes.
  case aes128CTRHMACSHA256Tag64 = 2
  /// AES-128 in counter mode with HMAC-SHA256; tags of 4 bytes.
  case aes128CTRHMACSHA256Tag32 = 3
  /// AES-128-GCM with keys by SHA-256; tags of 16 bytes.
  case aes128GCMSHA256 = 4
  /// AES-256-GCM with keys by SHA-512; tags of 16 bytes.
  case aes256GCMSHA512 = 5

  /// Bytes of a tag (Nt).
  public var tagByteCount: Int {
    switch self {
    case .aes128CTRHMACSHA256Tag80: 10
    case .aes128CTRHMACSHA256Tag64: 8
    case .aes128CTRHMACSHA256Tag32: 4
    case .aes128GCMSHA256, .aes256GCMSHA512: 16
    }
  }

  /// The hash of the key derivation (Nh).
  public var hash: KeyDerivation.Hash { self == .aes256GCMSHA512 ? .sha512 : .sha256 }

  /// Whether encryption and authentication have keys of their own (section 4.5.1).
  var hasAuthenticationKey: Bool { rawValue <= 3 }

  /// Bytes of a key (Nk): with an authentication key its 32 bytes too.
  var keyByteCount: Int {
    switch self {
    case .aes128GCMSHA256: 16
    case .aes256GCMSHA512: 32
    default: 48
    }
  }
}
