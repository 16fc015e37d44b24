/// What may become of received videos where the network does not carry them. Sound is received always. The raw values are
/// those of the SDKs.
public enum StreamFallbackOption: Int, Codable, Sendable, CaseIterable {
  /// Nothing is left out: what does not fit is lost on its way, and pictures freeze.
  case disabled = 0
  /// The smallest encoding with its lowest frame rate at least, whether it fits or not.
  case videoStreamLow = 1
  /// If not even that fits, sound only, until there is room again.
  case audioOnly = 2
}
