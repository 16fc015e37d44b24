import CALSA
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// A speaker by way of ALSA: 48 kHz stereo, whatever the device has; about 40 ms of delay, more before
/// a sound server that runs dry with as little.
///
/// Sound is asked for by the system's clock, not the device's: a device whose clock is off by up to 3 % is converted for, so
/// that nothing piles up or runs dry anywhere. Once started it does not fail: while the device is away, sound is asked for
/// all the same and thrown away.
public final class SpeakerPlayout: AudioPlayout, RecoveringSource {
  /// The ALSA name of the device.
  public let name: String
  private let session = Mutex<SoundSession?>(nil)
  private let monitor = SoundMonitor()

  /// Names a speaker; nothing is opened before `start`. `name` is `default`, or one that `AudioDevices.speakers()` lists,
  /// or any other that ALSA understands. While the default is not there, any other speaker takes its place (that of a sound
  /// server after 10 s only, since it may be starting anew); when another one becomes the default, that is used.
  public init(name: String = "default") { self.name = name }

  deinit { stop() }

  /// From filling in to hearing, as measured last.
  public var delay: MediaDuration { monitor.delay }

  /// How the device fares.
  public var statistics: SoundStatistics { monitor.statistics }

  /// Has `observer` told when the device has gone, and `nil` when it is back; on its thread.
  public func setInterruptionObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?) {
    monitor.setObserver(observer)
  }

  /// Opens the speaker and starts playing. Does nothing if it has been started. `onFailure` is never called: what happens to
  /// the device later is told to the interruption observer.
  public func start(
    fill: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    guard session.withLock({ $0 == nil }) else { return }
    let (wake, flag) = (WakeEvent(), StopFlag())
    monitor.begin()
    let loop = SpeakerLoop(name: name, wake: wake, monitor: monitor)
    try loop.open()
    let thread = WorkerThread(name: "alsa-playout") { loop.run(until: flag, fill) }
    guard thread.hasStarted else { throw .withoutThread(name) }
    session.withLock { $0 = SoundSession(wake: wake, isStopping: flag, thread: thread) }
  }

  /// Stops playing at once and closes the speaker.
  public func stop() { session.withLock { $0.take() }?.end() }
}

/// The thread of a speaker.
private final class SpeakerLoop: @unchecked Sendable {
  // @unchecked: opened by one thread, then used by the one that runs it alone.

  private static let patienceMilliseconds: Int32 = 4_000
  private static let period = MediaDuration.milliseconds(10)
  /// Further behind than this (the machine slept), the clock starts anew instead of catching up.
  private static let longestLag = MediaDuration.milliseconds(200)

  private let name: String
  private let wake: WakeEvent
  private let monitor: SoundMonitor
  private var device: SoundDevice?
  private var converter: RateConverter?
  private var drift = ClockDrift(rate: 48_000)
  private var search = DeviceSearch()
  private var patience = PlaybackPatience()
  private var watch: DefaultDeviceWatch
  private var serverPatience = ServerPatience()
  /// 10 ms of stereo at 48 kHz.
  private var filled = [Int16](repeating: 0, count: 960)
  /// At the device's rate; those before `start` have been written.
  private var samples: [Int16] = []
  private var start = 0
  private var nextTurn: MediaInstant?

  init(name: String, wake: WakeEvent, monitor: SoundMonitor) {
    self.name = name
    watch = DefaultDeviceWatch(name)
    self.wake = wake
    self.monitor = monitor
  }

  func open() throws(MediaDeviceError) {
    let mayReplace = serverPatience.mayReplace(MonotonicClock.now())
    let present = mayReplace ? AudioDevices.present(name, .playback) : name
    let device = try SoundDevice(
      name: present, direction: .playback, channelCount: 2, periods: patience.periods, wake: wake)
    watch.begin(opened: present, isServer: device.isServer, MonotonicClock.now())
    serverPatience.noteOpened(isServer: device.isServer)
    guard let converter = RateConverter(from: 48_000, to: device.format.rate, channelCount: 2) else {
      throw .unsupportedFormat(name: device.title, detail: "its \(device.format.rate) Hz cannot be converted")
    }
    self.device = device
    self.converter = converter
    drift = ClockDrift(rate: device.format.rate)
    samples.removeAll(keepingCapacity: true)
    start = 0
    nextTurn = nil
    monitor.change { statistics in
      statistics.rate = device.format.rate
      statistics.channelCount = device.format.channelCount
    }
  }

  func run(until flag: StopFlag, _ fill: (UnsafeMutableBufferPointer<Int16>) -> Void) {
    while !flag.isSet {
      guard let device, let converter else {
        stayAway(fill)
        continue
      }
      do throws(MediaDeviceError) {
        if watch.hasMoved(MonotonicClock.now(), opens: { AudioDevices.opens(name, .playback) }) {
          // Closed before another is opened, which may be on the same card.
          self.device = nil
          continue
        }
        try play(device, converter, fill)
      } catch {
        self.device = nil
        monitor.change { $0.rate = 0 }
        monitor.tell(error)
      }
    }
    if let device { snd_pcm_drop(device.pcm) }
    device = nil
  }

  private func play(
    _ device: SoundDevice, _ converter: RateConverter, _ fill: (UnsafeMutableBufferPointer<Int16>) -> Void
  ) throws(MediaDeviceError) {
    let status = step(device, converter, fill)
    if status == -Int(EAGAIN) {
      guard device.wait(milliseconds: Self.patienceMilliseconds) else { throw device.error(-ETIMEDOUT, "playing") }
    } else if status < 0 {
      try device.recover(from: status, operation: "playing")
      drift.reset()
      monitor.change { $0.interruptions += 1 }
      switch patience.noteInterruption(MonotonicClock.now()) {
      case .bearable: break
      case .needsLongerBuffer: self.device = nil
      case .isGone: throw .disconnected(name: device.title)
      }
    }
  }

  /// Writes what is left of the piece at hand, or asks for the next once there is room for all of it. A negative error.
  private func step(
    _ device: SoundDevice, _ converter: RateConverter, _ fill: (UnsafeMutableBufferPointer<Int16>) -> Void
  ) -> Int {
    if start * 2 >= samples.count {
      let room = snd_pcm_avail_update(device.pcm)
      if room < 0 { return room }
      guard room >= device.format.periodSize else { return -Int(EAGAIN) }
      follow(device, converter)
      filled.withUnsafeMutableBufferPointer { fill($0) }
      samples.removeAll(keepingCapacity: true)
      start = 0
      converter.convert(filled, into: &samples)
    }
    let status = device.write(samples, from: start)
    if status > 0 {
      start += status
      monitor.tell(nil)
    }
    return status
  }

  /// Takes note of the device's clock and of how long sound takes from here.
  private func follow(_ device: SoundDevice, _ converter: RateConverter) {
    if let position = device.position { drift.add(time: position.time, position: position.position) }
    if let ratio = drift.ratio {
      converter.setDrift(outputRatio: ratio)
      monitor.change { $0.clockRatio = ratio }
    }
    let waiting = MediaDuration.seconds(Double(device.delay) / Double(device.format.rate))
    monitor.setDelay(waiting + .seconds(Double(converter.latency) / 48_000))
  }

  // MARK: Away

  /// The clock alone, until the device is there.
  private func stayAway(_ fill: (UnsafeMutableBufferPointer<Int16>) -> Void) {
    let now = MonotonicClock.now()
    if search.isDue(now), monitor.reopens({ () throws(MediaDeviceError) in try open() }) { return }
    let turn = nextTurn ?? now
    MonotonicClock.sleep(until: turn)
    nextTurn = now - turn > Self.longestLag ? now : turn + Self.period
    filled.withUnsafeMutableBufferPointer { fill($0) }
  }
}
