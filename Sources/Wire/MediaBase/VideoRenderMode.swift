/// How a picture fills a place that has another shape.
public enum VideoRenderMode: Int, Hashable, Sendable {
  /// It fills the place; what does not fit is cut off.
  case hidden = 1
  /// All of it is seen; what is left of the place stays dark.
  case fit = 2
  /// `hidden` where picture and place are both wide or both high, `fit` otherwise.
  case adaptive = 3

  /// Whether the picture is cut off, not surrounded by dark, for these sizes in pixels.
  public func fills(pictureWidth: Int, pictureHeight: Int, width: Int, height: Int) -> Bool {
    switch self {
    case .hidden: true
    case .fit: false
    case .adaptive: (pictureWidth >= pictureHeight) == (width >= height)
    }
  }
}
