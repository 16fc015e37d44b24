import EngineCore
import OpenSSLCrypto
import SFrame

/// How `enableEncryption(_:configuration:)` encrypts. Everybody in the channel needs the same.
public struct EncryptionConfiguration: Hashable, Sendable {
  /// Bytes of a salt.
  public static let saltByteCount = 32

  /// The cipher.
  public var mode: EncryptionMode
  /// The secret, in any form that everybody has alike. It must be hard to guess: 16 random bytes at least, as hexadecimal
  /// digits for instance. The server never gets it.
  public var key: String
  /// 32 bytes that need not be secret, or none. Only used by `aes128GCM2` and `aes256GCM2`.
  public var salt: [UInt8]
  /// Whether messages of data streams are encrypted too.
  public var isDataStreamEncryptionEnabled: Bool

  /// Makes a configuration.
  public init(
    mode: EncryptionMode = .aes128GCM2, key: String, salt: [UInt8] = [], isDataStreamEncryptionEnabled: Bool = true
  ) {
    self.mode = mode
    self.key = key
    self.salt = salt
    self.isDataStreamEncryptionEnabled = isDataStreamEncryptionEnabled
  }

  /// What connections need; throws what is wrong with the configuration.
  func settings() throws(EngineErrorCode) -> FrameEncryptionSettings {
    let (suite, usesSalt): (SFrameCipherSuite, Bool)
    switch mode {
    case .aes128XTS, .aes128ECB, .aes256XTS, .sm4128ECB: throw .notSupported
    case .aes128GCM: (suite, usesSalt) = (.aes128GCMSHA256, false)
    case .aes256GCM: (suite, usesSalt) = (.aes256GCMSHA512, false)
    case .aes128GCM2: (suite, usesSalt) = (.aes128GCMSHA256, true)
    case .aes256GCM2: (suite, usesSalt) = (.aes256GCMSHA512, true)
    }
    guard !key.isEmpty, salt.isEmpty || salt.count == Self.saltByteCount else { throw .invalidArgument }
    guard
      let secret = SFrameSecret(
        key: Array(key.utf8), salt: usesSalt ? salt : [], suite: suite, crypto: OpenSSLCrypto.provider)
    else { throw .failed }
    return FrameEncryptionSettings(secret: secret, includesDataStreams: isDataStreamEncryptionEnabled)
  }
}

extension EncryptionConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The mode: the key is not for logs.
  public var description: String { "EncryptionConfiguration(\(mode))" }
  /// The mode only.
  public var debugDescription: String { description }
  /// The mode only.
  public var customMirror: Mirror { Mirror(self, children: ["mode": mode]) }
}
