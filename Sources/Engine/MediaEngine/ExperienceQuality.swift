/// What a listener makes of a remote user's sound. The raw values are those of the SDKs.
public enum ExperienceQuality: Int, Sendable, CaseIterable {
  /// Nothing to complain about.
  case good = 0
  /// Hard to listen to.
  case bad = 1
}
