import Glibc
import LinuxIO
import MediaBase
import Synchronization
import SyntheticMedia

/// A WAV file (16-bit PCM, one or two channels, 8 to 192 kHz) played as if it were a microphone: in real time, from its
/// beginning, again and again, brought to 48 kHz.
public final class WAVFileSource: AudioSource {
  /// A name for people and logs: the file's path.
  public let name: String

  private let loops: Bool
  private let thread = Mutex<PacedThread?>(nil)

  /// Sound that is at most this late is still delivered, at once; more is left out.
  private static let patience = MediaDuration.milliseconds(200)
  /// 10 ms at 48 kHz.
  private static let frameCount = 480

  /// Makes a source; the file is opened by `start`. `loops` tells whether it begins again at its end; otherwise no more
  /// sound comes then.
  public init(path: String, loops: Bool = true) {
    name = path
    self.loops = loops
  }

  /// Opens the file and starts delivering 10 ms frames. Each comes when its last sample is due; `captureTime` is when its
  /// first one was.
  public func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    stop()
    let playback = try WAVPlayback(path: name, loops: loops)
    let paced = PacedThread(name: "wav-source", rate: .init(100), patience: Self.patience) {
      return { tick in
        do throws(MediaDeviceError) {
          guard let samples = try playback.next(frameCount: Self.frameCount) else { return false }
          sink(
            AudioFrame(
              samples: samples, channelCount: playback.channelCount,
              captureTime: tick.dueTime - .milliseconds(10)))
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
