public import SFrame

/// Encryption between the ends of a channel: what the server passes on can be used by those who have the key only.
public struct FrameEncryptionSettings: Equatable, Sendable {
  /// What everybody's keys follow from.
  public var secret: SFrameSecret
  /// Whether messages of data streams are encrypted too.
  public var includesDataStreams: Bool

  /// Makes settings.
  public init(secret: SFrameSecret, includesDataStreams: Bool = true) {
    self.secret = secret
    self.includesDataStreams = includesDataStreams
  }
}
