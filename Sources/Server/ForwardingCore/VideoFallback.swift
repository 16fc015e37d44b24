/// What may become of a subscriber's videos where its path does not carry them.
public enum VideoFallback: Hashable, Sendable {
  /// Nothing is left out.
  case none
  /// Down to the smallest encoding with its lowest frame rate, which goes on whether it fits or not.
  case lowest
  /// Down to nothing but sound.
  case audioOnly
}
