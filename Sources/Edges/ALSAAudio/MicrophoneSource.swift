import CALSA
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// A microphone by way of ALSA: 48 kHz, 10 ms a frame, whatever the device has.
///
/// Frames come by the system's clock, not the device's: a device whose clock is off by up to 3 % is converted, so that
/// nothing piles up anywhere. Once started it does not fail: while the device is away, silence comes in its place.
public final class MicrophoneSource: AudioSource, RecoveringSource {
  /// The ALSA name of the device.
  public let name: String
  private let channelCount: Int
  private let session = Mutex<SoundSession?>(nil)
  private let monitor = SoundMonitor()

  /// Names a microphone; nothing is opened before `start`.
  ///
  /// - Parameters:
  ///   - name: `default`, or a name that `AudioDevices.microphones()` lists, or any other that ALSA understands. While the
  ///     default is not there, any other microphone takes its place (that of a sound server after 10 s only, since it may be
  ///     starting anew); when another one becomes the default, that is used.
  ///   - channelCount: 1 or 2, of the frames; the device may have others.
  public init(name: String = "default", channelCount: Int = 1) {
    self.name = name
    self.channelCount = channelCount == 2 ? 2 : 1
  }

  deinit { stop() }

  /// It is in a room.
  public var hearsRoom: Bool { true }

  /// How the device fares.
  public var statistics: SoundStatistics { monitor.statistics }

  /// Has `observer` told when the device has gone, and `nil` when it is back; on its thread.
  public func setInterruptionObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?) {
    monitor.setObserver(observer)
  }

  /// Opens the microphone and starts recording. Does nothing if it has been started. `onFailure` is never called: what
  /// happens to the device later is told to the interruption observer.
  public func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    guard session.withLock({ $0 == nil }) else { return }
    let (wake, flag) = (WakeEvent(), StopFlag())
    monitor.begin()
    let loop = MicrophoneLoop(name: name, channelCount: channelCount, wake: wake, monitor: monitor)
    try loop.open()
    let thread = WorkerThread(name: "alsa-capture") { loop.run(until: flag, sink) }
    guard thread.hasStarted else { throw .withoutThread(name) }
    session.withLock { $0 = SoundSession(wake: wake, isStopping: flag, thread: thread) }
  }

  /// Stops recording and closes the microphone.
  public func stop() { session.withLock { $0.take() }?.end() }
}

/// The thread of a microphone.
private final class MicrophoneLoop: @unchecked Sendable {
  // @unchecked: opened by one thread, then used by the one that runs it alone.

  private static let patienceMilliseconds: Int32 = 4_000
  /// 10 ms at 48 kHz.
  private static let frameCount = 480
  private static let frameDuration = MediaDuration.milliseconds(10)

  private let name: String
  private let channelCount: Int
  private let wake: WakeEvent
  private let monitor: SoundMonitor
  private var device: SoundDevice?
  private var converter: RateConverter?
  private var drift = ClockDrift(rate: 48_000)
  private var search = DeviceSearch()
  private var watch: DefaultDeviceWatch
  private var serverPatience = ServerPatience()
  private var raw: [Int16] = []
  /// At 48 kHz; goes out in frames.
  private var samples: [Int16] = []
  private var times = SteadyTime()
  /// When the next frame of silence is due, while the device is away.
  private var nextSilence: MediaInstant?

  init(name: String, channelCount: Int, wake: WakeEvent, monitor: SoundMonitor) {
    self.name = name
    watch = DefaultDeviceWatch(name)
    self.channelCount = channelCount
    self.wake = wake
    self.monitor = monitor
  }

  func open() throws(MediaDeviceError) {
    let mayReplace = serverPatience.mayReplace(MonotonicClock.now())
    let present = mayReplace ? AudioDevices.present(name, .capture) : name
    let device = try SoundDevice(name: present, direction: .capture, channelCount: channelCount, wake: wake)
    watch.begin(opened: present, isServer: device.isServer, MonotonicClock.now())
    serverPatience.noteOpened(isServer: device.isServer)
    let status = snd_pcm_start(device.pcm)
    guard status == 0 else { throw device.error(status, "starting") }
    guard let converter = RateConverter(from: device.format.rate, to: 48_000, channelCount: channelCount) else {
      throw .unsupportedFormat(name: device.title, detail: "its \(device.format.rate) Hz cannot be converted")
    }
    self.device = device
    self.converter = converter
    drift = ClockDrift(rate: device.format.rate)
    samples.removeAll(keepingCapacity: true)
    nextSilence = nil
    times = SteadyTime()
    monitor.change { statistics in
      statistics.rate = device.format.rate
      statistics.channelCount = device.format.channelCount
    }
  }

  func run(until flag: StopFlag, _ sink: (AudioFrame) -> Void) {
    while !flag.isSet {
      guard let device, let converter else {
        stayAway(sink)
        continue
      }
      do throws(MediaDeviceError) {
        if watch.hasMoved(MonotonicClock.now(), opens: { AudioDevices.opens(name, .capture) }) {
          // Closed before another is opened, which may be on the same card.
          self.device = nil
          continue
        }
        try record(device, converter, sink)
      } catch {
        self.device = nil
        monitor.change { $0.rate = 0 }
        monitor.tell(error)
      }
    }
    device = nil
  }

  private func record(
    _ device: SoundDevice, _ converter: RateConverter, _ sink: (AudioFrame) -> Void
  ) throws(MediaDeviceError) {
    raw.removeAll(keepingCapacity: true)
    let status = device.read(into: &raw, channelCount: channelCount)
    if status == -Int(EAGAIN) {
      guard device.wait(milliseconds: Self.patienceMilliseconds) else { throw device.error(-ETIMEDOUT, "recording") }
      return
    }
    guard status > 0 else {
      try device.recover(from: status, operation: "recording")
      // What was recorded before the gap does not go with what comes after it.
      samples.removeAll(keepingCapacity: true)
      drift.reset()
      monitor.change { $0.interruptions += 1 }
      return
    }
    let end = timeOfNext(device)
    if let ratio = drift.ratio {
      converter.setDrift(inputRatio: ratio)
      monitor.change { $0.clockRatio = ratio }
    }
    converter.convert(raw, into: &samples)
    deliver(end, converter, device, sink)
  }

  /// When the sample that will be read next was captured, by the device's time stamps where it has them.
  private func timeOfNext(_ device: SoundDevice) -> MediaInstant {
    guard let position = device.position else {
      return MonotonicClock.now() - .seconds(Double(device.delay) / Double(device.format.rate))
    }
    drift.add(time: position.time, position: position.position)
    return position.time - .seconds(Double(position.waiting) / Double(device.format.rate))
  }

  /// Gives out all whole frames; the last of `samples` came in at `end`, less what the converter keeps.
  private func deliver(
    _ end: MediaInstant, _ converter: RateConverter, _ device: SoundDevice, _ sink: (AudioFrame) -> Void
  ) {
    let kept = MediaDuration.seconds(Double(converter.latency) / Double(device.format.rate))
    let size = Self.frameCount * channelCount
    var start = 0
    while samples.count - start >= size {
      let age = MediaDuration.seconds(Double((samples.count - start) / channelCount) / 48_000)
      let frame = AudioFrame(
        samples: Array(samples[start..<(start + size)]), channelCount: channelCount,
        captureTime: times.next(end - kept - age))
      start += size
      monitor.tell(nil)
      sink(frame)
    }
    samples.removeFirst(start)
  }

  // MARK: Away

  /// Silence in place of a device that is not there, until it is.
  private func stayAway(_ sink: (AudioFrame) -> Void) {
    let now = MonotonicClock.now()
    if search.isDue(now), monitor.reopens({ () throws(MediaDeviceError) in try open() }) { return }
    let due = nextSilence ?? now
    MonotonicClock.sleep(until: due)
    // A machine that has slept goes on from now.
    nextSilence = max(due + Self.frameDuration, now - .milliseconds(200))
    sink(
      AudioFrame(
        samples: Array(repeating: 0, count: Self.frameCount * channelCount), channelCount: channelCount,
        captureTime: due - Self.frameDuration))
  }
}
