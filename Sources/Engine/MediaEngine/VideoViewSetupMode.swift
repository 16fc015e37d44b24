/// What a canvas does to those that are bound to the same user. The raw values are those of the SDKs.
public enum VideoViewSetupMode: Int, Sendable, CaseIterable {
  /// It takes their place.
  case replace = 0
  /// It comes on top: every picture goes to all of them.
  case add = 1
  /// It is taken away, others stay. Windows are recognised by their title, files by their path, renderers by identity,
  /// closures by the canvas's `name`.
  case remove = 2
}
