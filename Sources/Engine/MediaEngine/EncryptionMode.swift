/// How media are encrypted between the ends. The raw values are those of the SDKs; those that are no longer thought safe
/// (XTS, ECB) are not supported: `enableEncryption` answers -4.
public enum EncryptionMode: Int, Sendable, CaseIterable {
  /// Not supported.
  case aes128XTS = 1
  /// Not supported.
  case aes128ECB = 2
  /// Not supported.
  case aes256XTS = 3
  /// Not supported.
  case sm4128ECB = 4
  /// SFrame with AES-128-GCM and SHA-256.
  case aes128GCM = 5
  /// SFrame with AES-256-GCM and SHA-512.
  case aes256GCM = 6
  /// As `aes128GCM`, with a salt. The usual choice.
  case aes128GCM2 = 7
  /// As `aes256GCM`, with a salt.
  case aes256GCM2 = 8
}
