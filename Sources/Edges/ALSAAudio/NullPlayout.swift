import LinuxIO
import MediaBase
import Synchronization

/// A clock that pretends to be a speaker: asks for 10 ms of sound every 10 ms and throws it away.
///
/// For machines without sound, bots and tests: it keeps decoding and audio observers going.
public final class NullPlayout: AudioPlayout {
  private static let period = MediaDuration.milliseconds(10)
  /// Further behind than this (the machine slept), it starts its clock anew instead of catching up.
  private static let longestDelay = MediaDuration.milliseconds(200)

  private let session = Mutex<SoundSession?>(nil)

  /// Makes a clock that stands still.
  public init() {}

  deinit { stop() }

  /// A name for people and logs.
  public var name: String { "none" }

  /// Starts the clock; fails only if the system gives no thread for it. Does nothing if it has been started.
  public func start(
    fill: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    try session.withLock { session throws(MediaDeviceError) in
      guard session == nil else { return }
      let flag = StopFlag()
      let thread = WorkerThread(name: "null-playout") { Self.run(until: flag, fill) }
      guard thread.hasStarted else { throw .withoutThread(name) }
      session = SoundSession(wake: WakeEvent(), isStopping: flag, thread: thread)
    }
  }

  /// Stops the clock; waits for at most one period.
  public func stop() { session.withLock { $0.take() }?.end() }

  private static func run(until flag: StopFlag, _ fill: (UnsafeMutableBufferPointer<Int16>) -> Void) {
    var samples = [Int16](repeating: 0, count: 960)
    var next = MonotonicClock.now()
    while !flag.isSet {
      samples.withUnsafeMutableBufferPointer { fill($0) }
      next = next + period
      let now = MonotonicClock.now()
      if now - next > longestDelay { next = now }
      MonotonicClock.sleep(until: next)
    }
  }
}
