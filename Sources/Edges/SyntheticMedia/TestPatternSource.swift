import LinuxIO
import MediaBase
import Synchronization

/// A camera that is not there: a moving pattern in real time, with a `FrameClock` that says when each picture was handed
/// over.
public final class TestPatternSource: VideoSource {
  /// A name for people and logs.
  public let name = "test pattern"

  private let burnsClock: Bool
  private let thread = Mutex<PacedThread?>(nil)

  /// Makes a source; `burnsClock` tells whether a `FrameClock` is drawn.
  public init(burnsClock: Bool = true) { self.burnsClock = burnsClock }

  /// Starts delivering pictures of exactly the requested size (16 to 4,096 pixels a side) and rate (1 to 240 a second).
  public func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    stop()
    let frameRate = min(max(format.frameRate, 1), 240)
    let paced = try PacedThread.started(for: name, name: "test-pattern", rate: .init(frameRate), patience: .zero) {
      [burnsClock] in
      let pattern = TestPattern(width: format.width, height: format.height)
      return { tick in
        let frame = pattern.frame(atSeconds: Double(tick.index) / Double(frameRate), captureTime: tick.dueTime)
        frame.captureTime = MonotonicClock.now()
        if burnsClock { FrameClock.draw(frame.captureTime, on: frame) }
        sink(frame)
        return true
      }
    }
    thread.withLock { $0 = paced }
  }

  /// Stops. When it returns, `sink` is not running and will not be called again.
  public func stop() { thread.withLock { $0.take() }?.stop() }
}
