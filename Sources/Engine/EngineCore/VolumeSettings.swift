public import MediaBase

/// How volumes are reported.
public struct VolumeSettings: Hashable, Sendable {
  /// Time between reports.
  public var interval: MediaDuration
  /// 0 (as measured) to 10 (slowest to follow).
  public var smooth: Int
  /// Whether to find out if the local user speaks.
  public var reportVAD: Bool

  /// Makes settings.
  public init(interval: MediaDuration, smooth: Int, reportVAD: Bool) {
    self.interval = interval
    self.smooth = smooth
    self.reportVAD = reportVAD
  }
}
