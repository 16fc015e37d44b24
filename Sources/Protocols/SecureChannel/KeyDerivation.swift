/// HMAC-based key derivation (RFC 5869) with one of the hashes of `CryptoProvider`. Copies; not for the packet path.
public struct KeyDerivation: Sendable {
  /// The hash that is used.
  public enum Hash: Sendable {
    /// SHA-256: 32 bytes.
    case sha256
    /// SHA-512: 64 bytes.
    case sha512

    /// Bytes of a result.
    public var byteCount: Int { self == .sha256 ? 32 : 64 }
  }

  /// The hash.
  public let hash: Hash
  private let authenticate: CryptoProvider.AuthenticateSHA2

  /// Derivation with a hash.
  public init(_ hash: Hash, crypto: CryptoProvider) {
    self.hash = hash
    authenticate = hash == .sha256 ? crypto.frames.authenticateSHA256 : crypto.frames.authenticateSHA512
  }

  /// HMAC of a message with any key; `nil` if the library failed.
  public func hmac(key: [UInt8], message: [UInt8]) -> [UInt8]? {
    // An empty array may have no address.
    let paddedKey = key + [0]
    let paddedMessage = message + [0]
    var result = [UInt8](repeating: 0, count: hash.byteCount)
    let done = authenticate(paddedKey, key.count, paddedMessage, message.count, &result)
    return done ? result : nil
  }

  /// HKDF-Extract (RFC 5869 section 2.2); an empty salt stands for one of zeros.
  public func extract(salt: [UInt8], keyMaterial: [UInt8]) -> [UInt8]? { hmac(key: salt, message: keyMaterial) }

  /// HKDF-Expand (RFC 5869 section 2.3): `byteCount` bytes, at most 255 results of the hash; `nil` for more, or if the
  /// library failed.
  public func expand(_ pseudorandomKey: [UInt8], info: [UInt8], byteCount: Int) -> [UInt8]? {
    guard (0...255 * hash.byteCount).contains(byteCount) else { return nil }
    var output: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 0
    while output.count < byteCount {
      number &+= 1
      guard let next = hmac(key: pseudorandomKey, message: block + info + [number]) else { return nil }
      block = next
      output += next
    }
    return Array(output.prefix(byteCount))
  }
}
