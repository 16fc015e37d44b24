import MediaBase
import Synchronization

/// What a renderer and the windows' thread share about one window.
final class WindowState: Sendable {
  private struct State {
    /// The picture to draw next.
    var pending: VideoFrame?
    var isListed = false
    var isFinished = false
    var isClosed = false
    var failure: MediaDeviceError?
    var drawnFrames = 0
  }

  let title: String
  let renderMode: VideoRenderMode
  private let onResize: (@Sendable (Int, Int) -> Void)?
  private let onClose: (@Sendable () -> Void)?
  private let onFailure: (@Sendable (MediaDeviceError) -> Void)?
  private let state = Mutex(State())

  init(
    title: String, renderMode: VideoRenderMode, onResize: (@Sendable (Int, Int) -> Void)?,
    onClose: (@Sendable () -> Void)?, onFailure: (@Sendable (MediaDeviceError) -> Void)?
  ) {
    self.title = title
    self.renderMode = renderMode
    self.onResize = onResize
    self.onClose = onClose
    self.onFailure = onFailure
  }

  var failure: MediaDeviceError? { state.withLock { $0.failure } }
  var isClosed: Bool { state.withLock { $0.isClosed || $0.isFinished } }
  var isFinished: Bool { state.withLock { $0.isFinished } }
  var drawnFrames: Int { state.withLock { $0.drawnFrames } }

  /// Takes the next picture; `false` if it is not wanted any more.
  func offer(_ frame: VideoFrame) -> Bool {
    state.withLock { state in
      guard !state.isClosed, !state.isFinished else { return false }
      state.pending = frame
      return true
    }
  }

  /// Whether the window still has to be put on the thread's list; `true` only once.
  func enlist() -> Bool {
    state.withLock { state in
      defer { state.isListed = true }
      return !state.isListed
    }
  }

  func takePicture() -> VideoFrame? { state.withLock { $0.pending.take() } }

  /// The window has this size now.
  func tellSize(width: Int, height: Int) {
    guard !isClosed, width > 0, height > 0 else { return }
    onResize?(width, height)
  }

  func countDrawn() { state.withLock { $0.drawnFrames += 1 } }

  /// Whether this was the first call.
  func finish() -> Bool {
    state.withLock { state in
      state.pending = nil
      defer { state.isFinished = true }
      return !state.isFinished
    }
  }

  /// Somebody has closed the window.
  func close() {
    let isFirst = state.withLock { state in
      state.pending = nil
      defer { state.isClosed = true }
      return !state.isClosed && !state.isFinished
    }
    if isFirst { onClose?() }
  }

  /// It cannot be shown.
  func fail(_ error: MediaDeviceError) {
    let isFirst = state.withLock { state in
      state.pending = nil
      guard !state.isClosed else { return false }
      state.isClosed = true
      state.failure = error
      return true
    }
    if isFirst { onFailure?(error) }
  }
}
