import MediaBase

/// Where a user's pictures go.
public struct VideoCanvas: Sendable {
  /// A place for pictures.
  public enum Target: Sendable {
    /// Nowhere: takes the user's earlier canvases away.
    case none
    /// A window of its own with this title.
    case window(title: String)
    /// A file: `.png` is replaced with the newest picture at most every 100 ms, `.y4m` gets every picture appended.
    case file(path: String)
    /// A closure, called on the engine's decode thread (remote) or encode thread (local); it must return quickly.
    case closure(@Sendable (VideoFrame) -> Void)
    /// A renderer of the application's own, called like `closure`.
    case renderer(any VideoRenderer)
  }

  /// The user whose pictures are meant; 0 for the local user.
  public var uid: UInt
  /// The place.
  public var target: Target
  /// Whether it takes the place of earlier canvases of this user, comes on top, or goes.
  public var setupMode: VideoViewSetupMode
  /// Whether pictures are shown as in a mirror.
  public var mirrorMode: VideoMirrorMode
  /// How pictures fill a window that has another shape; files, closures and renderers get them whole.
  public var renderMode: VideoRenderMode
  /// Tells closures apart when one is to be removed.
  public var name: String

  /// Makes a canvas.
  public init(
    uid: UInt = 0, target: Target, setupMode: VideoViewSetupMode = .replace, mirrorMode: VideoMirrorMode = .auto,
    renderMode: VideoRenderMode = .hidden, name: String = ""
  ) {
    self.uid = uid
    self.target = target
    self.setupMode = setupMode
    self.mirrorMode = mirrorMode
    self.renderMode = renderMode
    self.name = name
  }
}
