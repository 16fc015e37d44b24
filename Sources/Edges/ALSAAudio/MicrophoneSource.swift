import CALSA
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// A microphone by way of ALSA: 48 kHz, 10 ms a frame.
public final class MicrophoneSource: AudioSource {
  /// The ALSA name of the device.
  public let name: String
  private let channelCount: Int
  private let session = Mutex<SoundSession?>(nil)

  /// Names a microphone; nothing is opened before `start`.
  ///
  /// - Parameters:
  ///   - name: `default`, or a name that `AudioDevices.microphones()` lists, or any other that ALSA understands.
  ///   - channelCount: 1 or 2, which is asked for first; where the device refuses, the other.
  public init(name: String = "default", channelCount: Int = 1) {
    self.name = name
    self.channelCount = channelCount == 2 ? 2 : 1
  }

  deinit { stop() }

  /// Opens the microphone and starts recording. Does nothing if it has been started.
  public func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    guard session.withLock({ $0 == nil }) else { return }
    let (wake, flag) = (WakeEvent(), StopFlag())
    let device = try SoundDevice(
      name: name, direction: .capture, channelCounts: [channelCount, 3 - channelCount], wake: wake)
    let status = snd_pcm_start(device.pcm)
    guard status == 0 else { throw device.error(status, "starting") }
    let thread = WorkerThread(name: "alsa-capture") {
      do throws(MediaDeviceError) {
        try MicrophoneReader(device).run(until: flag, sink)
      } catch {
        onFailure(error)
      }
    }
    session.withLock { $0 = SoundSession(wake: wake, isStopping: flag, thread: thread) }
  }

  /// Stops recording and closes the microphone.
  public func stop() { session.withLock { $0.take() }?.end() }
}

/// Reads 10 ms frames off an open device.
private struct MicrophoneReader {
  private static let patienceMilliseconds: Int32 = 4_000

  private let device: SoundDevice
  private var samples: [Int16]
  /// Samples per channel that `samples` holds.
  private var filled = 0

  init(_ device: SoundDevice) {
    self.device = device
    samples = Array(repeating: 0, count: SoundDevice.periodSize * device.channelCount)
  }

  consuming func run(until flag: StopFlag, _ sink: (AudioFrame) -> Void) throws(MediaDeviceError) {
    while !flag.isSet {
      let status = read()
      if status == -Int(EAGAIN) {
        guard device.wait(milliseconds: Self.patienceMilliseconds) else {
          throw device.error(-ETIMEDOUT, "recording")
        }
      } else if status < 0 {
        // What was recorded before the gap does not go with what comes after it.
        filled = 0
        try device.recover(from: status, operation: "recording")
      } else {
        filled += status
        if filled == SoundDevice.periodSize { deliver(sink) }
      }
    }
  }

  /// Samples per channel read, or a negative error.
  private mutating func read() -> Int {
    let (offset, wanted) = (filled * device.channelCount, SoundDevice.periodSize - filled)
    return samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      let status = snd_pcm_readi(device.pcm, base + offset, snd_pcm_uframes_t(wanted))
      // Zero means that nothing was there.
      return status == 0 ? -Int(EAGAIN) : status
    }
  }

  private mutating func deliver(_ sink: (AudioFrame) -> Void) {
    filled = 0
    var waiting: snd_pcm_sframes_t = 0
    if snd_pcm_delay(device.pcm, &waiting) != 0 { waiting = 0 }
    let age = SoundDevice.periodSize + min(max(0, waiting), 48_000)
    let time = MonotonicClock.now() - .microseconds(Int64(age) * 1_000 / 48)
    sink(AudioFrame(samples: samples, channelCount: device.channelCount, captureTime: time))
  }
}
