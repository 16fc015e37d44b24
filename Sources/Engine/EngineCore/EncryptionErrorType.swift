/// What has gone wrong with encryption between the ends. The raw values are those of the SDKs.
public enum EncryptionErrorType: Int, Sendable, CaseIterable {
  /// The engine itself.
  case internalFailure = 0
  /// Pictures or sound cannot be decrypted: another key, no key here, or no encryption there.
  case decryptionFailure = 1
  /// Pictures or sound cannot be encrypted.
  case encryptionFailure = 2
  /// A data stream's message cannot be decrypted.
  case dataStreamDecryptionFailure = 3
  /// A data stream's message cannot be encrypted.
  case dataStreamEncryptionFailure = 4
}
