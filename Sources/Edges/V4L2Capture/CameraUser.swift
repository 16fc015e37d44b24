import MediaBase
import Synchronization

/// One of those who take pictures from a shared camera.
final class CameraUser: Sendable {
  let format: VideoCaptureFormat
  let options: CameraOptions
  private let onInterruption: @Sendable (MediaDeviceError?) -> Void
  private let state: Mutex<State>

  private struct State {
    var sink: (@Sendable (VideoFrame) -> Void)?
    let shaper: PictureShaper
    /// What the user knows of an interruption; `nil` while pictures come.
    var told: MediaDeviceError?
  }

  init(
    format: VideoCaptureFormat, options: CameraOptions, sink: @escaping @Sendable (VideoFrame) -> Void,
    onInterruption: @escaping @Sendable (MediaDeviceError?) -> Void
  ) {
    self.format = format
    self.options = options
    self.onInterruption = onInterruption
    state = Mutex(State(sink: sink, shaper: PictureShaper(options, for: format)))
  }

  /// The size that the camera should have for this user.
  var wanted: VideoCaptureFormat {
    let swapsSides = options.rotation == 90 || options.rotation == 270
    return VideoCaptureFormat(
      width: swapsSides ? format.height : format.width, height: swapsSides ? format.width : format.height,
      frameRate: format.frameRate)
  }

  /// Hands a picture to the user's sink; on the capture thread.
  func deliver(_ frame: VideoFrame) {
    state.withLock { state in
      guard let sink = state.sink else { return }
      sink(state.shaper.shape(frame))
    }
  }

  /// Tells the user why no pictures come, or (`nil`) that they come again, unless that is known.
  func tell(_ error: MediaDeviceError?) {
    let isNews = state.withLock { state in
      guard state.sink != nil, state.told != error else { return false }
      state.told = error
      return true
    }
    if isNews { onInterruption(error) }
  }

  /// When it returns, the sink is not running and will not run again.
  func end() { state.withLock { $0.sink = nil } }
}
