import Glibc
import LinuxIO
import MediaBase
import PictureFiles
import Synchronization
import SyntheticMedia

/// A Y4M file played as if it were a camera: in real time, from its beginning, again and again.
public final class Y4MFileSource: VideoSource {
  /// A name for people and logs: the file's path.
  public let name: String

  private let loops: Bool
  private let burnsClock: Bool
  private let thread = Mutex<PacedThread?>(nil)

  /// Makes a source; the file is opened by `start`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - loops: whether it begins again at its end; otherwise no more pictures come then.
  ///   - burnsClock: whether a `FrameClock` with the time of the hand-over is drawn on every picture.
  public init(path: String, loops: Bool = true, burnsClock: Bool = false) {
    name = path
    self.loops = loops
    self.burnsClock = burnsClock
  }

  /// Opens the file and starts delivering pictures of exactly the requested size (the middle of the file's pictures, scaled).
  /// The rate is the requested one or the file's, whichever is lower; in the former case pictures are left out, so that
  /// nothing moves faster or slower than it was filmed.
  public func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    stop()
    let playback = try Y4MPlayback(path: name, format: format, loops: loops)
    let paced = PacedThread(name: "y4m-source", rate: playback.rate, patience: .zero) { [burnsClock] in
      return { tick in
        do throws(MediaDeviceError) {
          guard let frame = try playback.frame(for: tick.index) else { return false }
          frame.captureTime = MonotonicClock.now()
          if burnsClock { FrameClock.draw(frame.captureTime, on: frame) }
          sink(frame)
          return true
        } catch {
          onFailure(error)
          return false
        }
      }
    }
    guard let paced else {
      throw .system(
        name: name, operation: "starting its thread", code: EAGAIN, detail: "the limit of threads is reached")
    }
    thread.withLock { $0 = paced }
  }

  /// Stops and closes the file. When it returns, `sink` is not running and will not be called again.
  public func stop() { thread.withLock { $0.take() }?.stop() }
}
