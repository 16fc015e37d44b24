/// In which shape pictures are sent. The raw values are those of the SDKs.
public enum VideoOrientationMode: Int, Sendable, CaseIterable {
  /// As they are captured, turned upright.
  case adaptive = 0
  /// Wider than high: of an upright picture the middle is sent.
  case fixedLandscape = 1
  /// Higher than wide: of a wide picture the middle is sent.
  case fixedPortrait = 2
}
