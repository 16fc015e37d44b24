import LinuxIO
import MediaBase
import Synchronization

/// A microphone that is not there: something like speech, a pure tone, or silence, in real time.
public final class ToneSource: AudioSource {
  /// A name for people and logs.
  public let name: String

  private let signal: ToneSignal
  private let channelCount: Int
  private let thread = Mutex<PacedThread?>(nil)

  /// Sound that is at most this late is still delivered, at once; more is left out.
  private static let patience = MediaDuration.milliseconds(200)
  /// 10 ms at 48 kHz.
  private static let frameCount = 480

  /// Makes a source of 1 or 2 channels, which are alike.
  public init(signal: ToneSignal = .speech(seed: 1), channelCount: Int = 1) {
    self.signal = signal
    self.channelCount = channelCount == 2 ? 2 : 1
    name = signal.name
  }

  /// Starts delivering 10 ms frames at 48 kHz. Each comes when its last sample is due; `captureTime` is when its first one
  /// was.
  public func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    stop()
    let rate = PacedThread.Rate(100)
    let paced = try PacedThread.started(for: name, name: "tone", rate: rate, patience: Self.patience) {
      [signal, channelCount] in
      var generator = ToneGenerator(signal: signal)
      return { tick in
        let samples = generator.next(frameCount: Self.frameCount, channelCount: channelCount)
        sink(
          AudioFrame(
            samples: samples, channelCount: channelCount, captureTime: tick.dueTime - .milliseconds(10)))
        return true
      }
    }
    thread.withLock { $0 = paced }
  }

  /// Stops. When it returns, `sink` is not running and will not be called again.
  public func stop() { thread.withLock { $0.take() }?.stop() }
}
