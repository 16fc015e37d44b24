import LinuxIO
import MediaBase
import Synchronization
import SyntheticMedia

/// The sound of a `MovieFile`.
final class MovieAudioSource: AudioSource {
  let name: String

  private let clock: MovieClock
  private let loops: Bool
  private let thread = Mutex<PacedThread?>(nil)

  /// Sound that is at most this late is still delivered, at once; more is left out.
  private static let patience = MediaDuration.milliseconds(200)
  /// 10 ms at 48 kHz.
  private static let frameCount = 480

  init(path: String, clock: MovieClock, loops: Bool) {
    name = path
    self.clock = clock
    self.loops = loops
  }

  func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    stop()
    let playback = try MovieSound(path: name, loops: loops)
    let paced = try PacedThread.started(for: name, name: "movie-sound", rate: .init(100), patience: Self.patience) {
      [clock] in
      return { tick in
        do throws(MediaDeviceError) {
          // Counted from the thread's start, so that pieces follow each other without a seam.
          let first = Int64(clock.position(at: tick.startTime).seconds * 48_000)
          let place = first + tick.index * Int64(Self.frameCount)
          guard let samples = try playback.samples(at: place, count: Self.frameCount) else { return false }
          sink(
            AudioFrame(
              samples: samples, channelCount: playback.channelCount, captureTime: tick.dueTime - .milliseconds(10)))
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
