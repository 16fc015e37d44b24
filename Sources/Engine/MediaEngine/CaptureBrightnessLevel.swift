/// How bright what the camera captures is. The raw values are those of the SDKs.
public enum CaptureBrightnessLevel: Int, Sendable, CaseIterable {
  /// Nothing has been captured.
  case invalid = -1
  /// As it should be.
  case normal = 0
  /// So bright that little can be told apart.
  case bright = 1
  /// So dark that little can be told apart.
  case dark = 2
}
