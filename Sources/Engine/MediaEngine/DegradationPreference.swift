/// What a sender gives up first when the network carries less than the encoder's configuration needs.
public enum DegradationPreference: Int, Sendable {
  /// The engine decides: like `balanced`.
  case automatic = -1
  /// Fewer pictures a second; each stays sharp and of full size.
  case quality = 0
  /// Smaller pictures; as many as before.
  case frameRate = 1
  /// Smaller and fewer pictures by turns.
  case balanced = 2
  /// Fewer pictures a second of full size.
  case resolution = 3
}
