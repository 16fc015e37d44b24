public import SecureChannel

/// What all who may see and hear a channel have in common, and the server has not. Everybody's keys follow from it.
public struct SFrameSecret: Sendable, Equatable {
  /// How frames are encrypted.
  public let suite: SFrameCipherSuite
  private let pseudorandomKey: [UInt8]
  private let crypto: CryptoProvider

  /// A secret of an application's key and salt; `nil` if the library failed.
  ///
  /// The key must be hard to guess by itself (16 random bytes or more): deriving is fast for attackers too.
  public init?(key: [UInt8], salt: [UInt8], suite: SFrameCipherSuite, crypto: CryptoProvider) {
    guard let extracted = KeyDerivation(suite.hash, crypto: crypto).extract(salt: salt, keyMaterial: key) else {
      return nil
    }
    self.suite = suite
    self.crypto = crypto
    pseudorandomKey = extracted
  }

  /// Equal keys, salts and suites.
  public static func == (one: SFrameSecret, other: SFrameSecret) -> Bool {
    one.suite == other.suite && one.pseudorandomKey == other.pseudorandomKey
  }

  /// The first base key of one generation of a sender's keys. Channel, sender and generation are part of it: no two
  /// senders share a key, nor a sender's stays in the channel, whatever their counters.
  func baseKey(channel: String, uid: UInt, generation: UInt64) throws(SFrameError) -> [UInt8] {
    var info = Array("Greenroom SFrame sender ".utf8)
    info += withUnsafeBytes(of: UInt64(uid).bigEndian) { Array($0) }
    info += withUnsafeBytes(of: generation.bigEndian) { Array($0) }
    info += Array(channel.utf8)
    let derivation = KeyDerivation(suite.hash, crypto: crypto)
    guard let key = derivation.expand(pseudorandomKey, info: info, byteCount: suite.hash.byteCount) else {
      throw .cryptoFailed
    }
    return key
  }
}

extension SFrameSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The suite: the secret is not for logs.
  public var description: String { "SFrameSecret(\(suite))" }
  /// The suite only.
  public var debugDescription: String { description }
  /// The suite only.
  public var customMirror: Mirror { Mirror(self, children: ["suite": suite]) }
}
