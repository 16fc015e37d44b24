/// Why a frame could not be encrypted or decrypted.
public enum SFrameError: Error, Equatable, Sendable {
  /// It is not encrypted at all.
  case notEncrypted
  /// Too short, or not in the format of encrypted frames.
  case malformed
  /// No key is known that fits: another secret, another sender, or forged.
  case authenticationFailed
  /// Received before, too old to tell, or of a key that its sender has given up.
  case replayed
  /// Too many unknown keys have been tried lately to try another.
  case tooManyUnknownKeys
  /// The cryptographic library could not do it.
  case cryptoFailed
}
