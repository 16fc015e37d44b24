/// What has become of a camera's pictures since it was opened for its first user.
public struct CameraStatistics: Hashable, Sendable {
  /// Handed on.
  public var deliveredPictures = 0
  /// Left out because a newer one was there already.
  public var latePictures = 0
  /// Missing in the driver's numbers: it had no buffer for them, or lost them.
  public var missingPictures = 0
  /// Broken: marked so by the driver, too short, or no JPEG.
  public var brokenPictures = 0
  /// The last picture, or black, given again once a second while the camera was away.
  public var repeatedPictures = 0
  /// How often the camera was opened again after it had failed or gone.
  public var restarts = 0

  /// Nothing yet.
  public init() {}
}
