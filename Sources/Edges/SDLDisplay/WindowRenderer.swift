import MediaBase
import Synchronization

/// Shows pictures in a window of its own, scaled with their shape kept.
///
/// The window opens with the first picture. All windows of the process share one thread, which lives while there are any.
/// Which display is used is up to SDL (`DISPLAY`, `WAYLAND_DISPLAY`, `SDL_VIDEODRIVER`).
public final class WindowRenderer: VideoRenderer {
  private let window: WindowState

  /// Makes a renderer; no window is opened yet.
  ///
  /// - Parameters:
  ///   - title: the window's title.
  ///   - renderMode: how pictures fill the window once somebody has given it another shape than theirs.
  ///   - onResize: called on the windows' thread with the window's size in pixels when it opens and whenever it changes.
  ///   - onClose: called once on the windows' thread when somebody closes the window; pictures are dropped from then on.
  ///   - onFailure: called once on the windows' thread when the window cannot be opened or drawn, such as without a
  ///     display; pictures are dropped from then on.
  public init(
    title: String, renderMode: VideoRenderMode = .fit,
    onResize: (@Sendable (_ width: Int, _ height: Int) -> Void)? = nil, onClose: (@Sendable () -> Void)? = nil,
    onFailure: (@Sendable (MediaDeviceError) -> Void)? = nil
  ) {
    window = WindowState(
      title: title, renderMode: renderMode, onResize: onResize, onClose: onClose, onFailure: onFailure)
  }

  deinit { finish() }

  /// Has `frame` shown in place of the one before; never blocks.
  public func render(_ frame: VideoFrame) {
    if window.offer(frame) { DisplayThread.shared.show(window) }
  }

  /// Closes the window, soon after. Idempotent; a picture rendered later opens no new one.
  public func finish() {
    if window.finish() { DisplayThread.shared.wakeUp() }
  }

  /// Why nothing is shown, if the window could not be opened or drawn.
  public var failure: MediaDeviceError? { window.failure }

  /// Whether the window is gone: finished, failed or closed by somebody.
  public var isClosed: Bool { window.isClosed }

  /// How many pictures have been drawn.
  public var drawnFrames: Int { window.drawnFrames }
}
