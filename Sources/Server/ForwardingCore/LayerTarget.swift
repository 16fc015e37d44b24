/// How much of a user's video a subscriber gets at most: which of its encodings (RFC 8853) and which of that encoding's
/// temporal layers (RFC 7741 section 4.2).
public struct LayerTarget: Hashable, Sendable {
  /// The best encoding: 0 is the smallest picture, further ones follow by size. A number beyond what there is means the
  /// largest.
  public var spatial: UInt8
  /// The highest temporal id: 0 is the base layer, which needs no other; 3 and more mean all.
  public var temporal: UInt8

  /// Makes a target.
  public init(spatial: UInt8, temporal: UInt8 = .max) {
    self.spatial = spatial
    self.temporal = temporal
  }

  /// All that there is.
  public static let best = LayerTarget(spatial: .max)
  /// The smallest picture, at its full rate.
  public static let smallest = LayerTarget(spatial: 0)

  /// What both allow.
  public func limited(by other: LayerTarget) -> LayerTarget {
    LayerTarget(spatial: min(spatial, other.spatial), temporal: min(temporal, other.temporal))
  }
}
