/// What a call carries.
public enum CallType: UInt, Codable, Sendable {
  /// Picture and sound.
  case video = 0
  /// Sound only.
  case audio = 1
}
