/// Whether pictures are turned left to right. The raw values are those of the SDKs.
public enum VideoMirrorMode: Int, Sendable, CaseIterable {
  /// As in a mirror for the local user's windows, as captured everywhere else.
  case auto = 0
  /// As in a mirror.
  case enabled = 1
  /// As captured.
  case disabled = 2
}
