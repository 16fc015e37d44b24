/// Something that can be set at a camera: exposure, focus, white balance, the mains' frequency.
public struct CameraControl: Hashable, Sendable {
  /// What its value is.
  public enum Kind: String, Sendable {
    /// A number.
    case integer
    /// 0 or 1.
    case boolean
    /// One of `choices`.
    case menu
    /// Nothing: setting it does something.
    case button
  }

  /// V4L2's number for it.
  public var id: UInt32
  /// The driver's name, which may be in any case and language.
  public var name: String
  /// What its value is.
  public var kind: Kind
  /// Least value.
  public var minimum: Int
  /// Greatest value.
  public var maximum: Int
  /// Distance of values.
  public var step: Int
  /// What the driver starts with.
  public var defaultValue: Int
  /// What it is now; of a button 0.
  public var value: Int
  /// Of a menu the names by value.
  public var choices: [Int: String]
  /// Whether it cannot be set now: read-only, or another control decides (exposure, while it is automatic).
  public var isLocked: Bool

  /// The number of a control that cameras usually have.
  public enum Standard: UInt32, Sendable, CaseIterable {
    /// How bright the picture is.
    case brightness = 0x98_0900
    /// Whether the camera balances white by itself.
    case automaticWhiteBalance = 0x98_090C
    /// 0 off, 1 50 Hz, 2 60 Hz, 3 automatic.
    case powerLineFrequency = 0x98_0918
    /// In kelvin.
    case whiteBalanceTemperature = 0x98_091A
    /// 0 automatic, 1 manual, 2 shutter priority, 3 aperture priority.
    case automaticExposure = 0x9A_0901
    /// In units of 100 µs.
    case exposureTime = 0x9A_0902
    /// Whether the rate may fall in bad light.
    case dynamicFrameRate = 0x9A_0903
    /// How near.
    case focus = 0x9A_090A
    /// Whether the camera focuses by itself.
    case automaticFocus = 0x9A_090C
    /// In the driver's units.
    case zoom = 0x9A_090D
  }
}
