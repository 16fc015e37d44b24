import CALSA
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// A speaker by way of ALSA: 48 kHz stereo, about 40 ms of delay.
public final class SpeakerPlayout: AudioPlayout {
  /// The ALSA name of the device.
  public let name: String
  private let session = Mutex<SoundSession?>(nil)

  /// Names a speaker; nothing is opened before `start`. `name` is `default`, or one that `AudioDevices.speakers()` lists,
  /// or any other that ALSA understands.
  public init(name: String = "default") { self.name = name }

  deinit { stop() }

  /// Opens the speaker and starts playing. Does nothing if it has been started.
  public func start(
    fill: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    guard session.withLock({ $0 == nil }) else { return }
    let (wake, flag) = (WakeEvent(), StopFlag())
    let device = try SoundDevice(name: name, direction: .playback, channelCounts: [2], wake: wake)
    let thread = WorkerThread(name: "alsa-playout") {
      do throws(MediaDeviceError) {
        try SpeakerWriter(device).run(until: flag, fill)
      } catch {
        onFailure(error)
      }
    }
    session.withLock { $0 = SoundSession(wake: wake, isStopping: flag, thread: thread) }
  }

  /// Stops playing at once and closes the speaker.
  public func stop() { session.withLock { $0.take() }?.end() }
}

/// Writes 10 ms pieces to an open device as it has room for them.
private struct SpeakerWriter {
  private static let patienceMilliseconds: Int32 = 4_000

  private let device: SoundDevice
  private var samples = [Int16](repeating: 0, count: SoundDevice.periodSize * 2)
  /// Samples per channel of `samples` that have been written.
  private var written = SoundDevice.periodSize

  init(_ device: SoundDevice) { self.device = device }

  consuming func run(
    until flag: StopFlag, _ fill: (UnsafeMutableBufferPointer<Int16>) -> Void
  ) throws(MediaDeviceError) {
    while !flag.isSet {
      let status = step(fill)
      if status == -Int(EAGAIN) {
        guard device.wait(milliseconds: Self.patienceMilliseconds) else { throw device.error(-ETIMEDOUT, "playing") }
      } else if status < 0 {
        try device.recover(from: status, operation: "playing")
      }
    }
    snd_pcm_drop(device.pcm)
  }

  /// Writes what is left of the piece at hand, or asks for the next once there is room for all of it. A negative error.
  private mutating func step(_ fill: (UnsafeMutableBufferPointer<Int16>) -> Void) -> Int {
    if written == SoundDevice.periodSize {
      let room = snd_pcm_avail_update(device.pcm)
      if room < 0 { return room }
      guard room >= SoundDevice.periodSize else { return -Int(EAGAIN) }
      samples.withUnsafeMutableBufferPointer { fill($0) }
      written = 0
    }
    let offset = written * 2
    let status = samples.withUnsafeBufferPointer { buffer -> Int in
      guard let base = buffer.baseAddress else { return 0 }
      return snd_pcm_writei(device.pcm, base + offset, snd_pcm_uframes_t(SoundDevice.periodSize - written))
    }
    if status > 0 { written += status }
    return status == 0 ? -Int(EAGAIN) : status
  }
}
