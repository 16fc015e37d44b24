import LinuxIO
import MediaBase
import Synchronization
import SyntheticMedia

/// The pictures of a `MovieFile`.
final class MovieVideoSource: VideoSource {
  let name: String

  private let clock: MovieClock
  private let loops: Bool
  private let burnsClock: Bool
  private let thread = Mutex<PacedThread?>(nil)

  init(path: String, clock: MovieClock, loops: Bool, burnsClock: Bool) {
    name = path
    self.clock = clock
    self.loops = loops
    self.burnsClock = burnsClock
  }

  func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    stop()
    let sides = 16...4_096
    guard sides.contains(format.width), sides.contains(format.height) else {
      throw .unsupportedFormat(
        name: name, detail: "pictures of \(format.width)x\(format.height) are outside 16x16 to 4096x4096")
    }
    let playback = try MoviePictures(path: name, loops: loops)
    // In thousandths, so that 29.97 pictures a second stay that many.
    let rate = PacedThread.Rate(
      Int((min(Double(format.frameRate), playback.frameRate) * 1_000).rounded()), per: 1_000)
    let paced = try PacedThread.started(for: name, name: "movie-pictures", rate: rate, patience: .zero) {
      [clock, burnsClock] in
      return { tick in
        do throws(MediaDeviceError) {
          let played = clock.position(at: tick.dueTime).seconds
          let picture = try playback.picture(at: played, width: format.width, height: format.height)
          guard let picture else { return false }
          picture.captureTime = MonotonicClock.now()
          if burnsClock { FrameClock.draw(picture.captureTime, on: picture) }
          sink(picture)
          return true
        } catch {
          onFailure(error)
          return false
        }
      }
    }
    thread.withLock { $0 = paced }
  }

  func stop() { thread.withLock { $0.take() }?.stop() }
}
