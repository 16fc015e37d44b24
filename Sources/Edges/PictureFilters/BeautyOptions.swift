/// How `setBeautyEffectOptions` changes faces and light. Every level is 0 (nothing) to 1.
public struct BeautyOptions: Hashable, Sendable {
  /// How strongly light and dark differ where `lighteningLevel` is above 0.
  public enum LighteningContrastLevel: Int, Hashable, Sendable {
    /// Less than in the picture as it was taken.
    case low = 0
    /// As in the picture as it was taken.
    case normal = 1
    /// More.
    case high = 2
  }

  /// Contrast of what is lightened.
  public var lighteningContrastLevel: LighteningContrastLevel
  /// Brightness, mostly of what is neither dark nor bright.
  public var lighteningLevel: Double
  /// How much of the small structure of skin goes; edges and everything that has not the colour of skin stay.
  public var smoothnessLevel: Double
  /// Redness of skin.
  public var rednessLevel: Double
  /// Sharpness of edges.
  public var sharpnessLevel: Double

  /// Options that change a face a little.
  public init(
    lighteningContrastLevel: LighteningContrastLevel = .normal, lighteningLevel: Double = 0.7,
    smoothnessLevel: Double = 0.5, rednessLevel: Double = 0.1, sharpnessLevel: Double = 0.1
  ) {
    self.lighteningContrastLevel = lighteningContrastLevel
    self.lighteningLevel = lighteningLevel
    self.smoothnessLevel = smoothnessLevel
    self.rednessLevel = rednessLevel
    self.sharpnessLevel = sharpnessLevel
  }

  /// Whether every level is a number of 0 to 1.
  public var isValid: Bool {
    [lighteningLevel, smoothnessLevel, rednessLevel, sharpnessLevel].allSatisfy { (0...1).contains($0) }
  }
}
