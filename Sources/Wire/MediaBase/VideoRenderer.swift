/// Somewhere that pictures are shown or kept: a window, a file, a closure.
public protocol VideoRenderer: AnyObject, Sendable {
  /// Takes the next picture. Called on one thread at a time; must not block for longer than a few milliseconds (show it
  /// later or drop it instead).
  func render(_ frame: VideoFrame)

  /// The stream has ended or the renderer was taken off it: show nothing (or the last picture) and free what was held.
  func finish()
}
