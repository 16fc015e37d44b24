/// What is done to a camera's pictures on their way, and how the camera is set up.
public struct CameraOptions: Hashable, Sendable {
  /// How a picture comes to the wanted size where the camera has another.
  public enum Framing: Sendable, CaseIterable {
    /// As the camera delivers it.
    case asCaptured
    /// The largest part of its middle that has the wanted shape, scaled to the wanted size.
    case crop
    /// All of it within the wanted size, with black beside it.
    case letterbox
  }

  /// How the wanted size is met.
  public var framing: Framing
  /// Clockwise, in degrees: 0, 90, 180 or 270; anything else counts as 0. The wanted size is that of the picture after it.
  public var rotation: Int
  /// Whether left and right change places, after the rotation.
  public var isMirrored: Bool
  /// What the mains' flicker is fought with; `nil` leaves it to the camera.
  public var powerLineFrequency: PowerLineFrequency?
  /// Keeps the rate steady in bad light, where many cameras would halve it to expose longer.
  public var keepsRate: Bool
  /// Only these layouts, by their four characters, in place of the best; none of them for what libv4l2 makes. For tests.
  package var layouts: [String]?

  /// How often the mains change, which decides how lamps flicker. Raw values are V4L2's.
  public enum PowerLineFrequency: Int, Sendable, CaseIterable {
    /// Nothing is done.
    case disabled = 0
    /// 50 times a second.
    case hertz50 = 1
    /// 60 times a second.
    case hertz60 = 2
    /// The camera finds out.
    case automatic = 3
  }

  /// Makes options; the defaults change nothing but keep the rate.
  public init(
    framing: Framing = .asCaptured, rotation: Int = 0, isMirrored: Bool = false,
    powerLineFrequency: PowerLineFrequency? = nil, keepsRate: Bool = true
  ) {
    self.framing = framing
    self.rotation = rotation
    self.isMirrored = isMirrored
    self.powerLineFrequency = powerLineFrequency
    self.keepsRate = keepsRate
  }
}
