import OpenSSLCrypto

/// A key pair of X25519 (RFC 7748) that one side makes for one call.
public struct CallKeyPair: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// 32 bytes; never leaves the process.
  let privateKey: [UInt8]
  /// 32 bytes for the other side.
  public let publicKey: [UInt8]

  /// A new one; `nil` if the system's generator fails.
  public static func make() -> CallKeyPair? {
    OpenSSLCrypto.makeX25519KeyPair().map { CallKeyPair(privateKey: $0.privateKey, publicKey: $0.publicKey) }
  }

  /// The pair of a private key of 32 bytes, for those who have their own generator; `nil` for another length.
  public init?(privateKey: [UInt8]) {
    guard let publicKey = OpenSSLCrypto.x25519PublicKey(privateKey) else { return nil }
    self.init(privateKey: privateKey, publicKey: publicKey)
  }

  private init(privateKey: [UInt8], publicKey: [UInt8]) {
    self.privateKey = privateKey
    self.publicKey = publicKey
  }

  /// Nothing of the private key.
  public var description: String { "CallKeyPair" }
  /// Nothing of the private key.
  public var debugDescription: String { description }
}
