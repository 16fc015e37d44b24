/// Whether calls are encrypted between the ends, with a key that both sides agree on for each call (docs/encryption.md).
public enum CallEncryptionPolicy: Sendable, CaseIterable {
  /// No: the server can see and hear.
  case off
  /// If the other side can. Whoever controls the signalling can make it look as if it could not.
  case preferred
  /// Yes, or there is no call: it ends with an error if the other side cannot.
  case required
}
