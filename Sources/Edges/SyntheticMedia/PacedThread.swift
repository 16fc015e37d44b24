import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// A thread that does something at a steady rate, on an absolute schedule: errors of single wake-ups never add up.
public final class PacedThread: Sendable {
  /// One turn of the thread.
  public struct Tick: Sendable {
    /// Counts from 0; a number is left out where the thread was too late for it.
    public let index: Int64
    /// When the turn should begin: the thread's start plus `index` periods.
    public let dueTime: MediaInstant
    /// When tick 0 was due.
    public let startTime: MediaInstant
  }

  /// How often: `numerator` times in `denominator` seconds, as frame rates are written (30000/1001).
  public struct Rate: Hashable, Sendable {
    /// Turns.
    public let numerator: Int
    /// Seconds.
    public let denominator: Int

    /// Makes a rate; both parts are brought into 1...1,000,000.
    public init(_ numerator: Int, per denominator: Int = 1) {
      self.numerator = min(max(numerator, 1), 1_000_000)
      self.denominator = min(max(denominator, 1), 1_000_000)
    }

    /// Turns in a second.
    public var perSecond: Double { Double(numerator) / Double(denominator) }

    /// The time from tick 0 to tick `index`, rounded down to a nanosecond.
    public func offset(of index: Int64) -> MediaDuration {
      let (numerator, denominator) = (Int64(numerator), Int64(denominator))
      let (seconds, rest) = (index &* denominator).quotientAndRemainder(dividingBy: numerator)
      return MediaDuration(nanoseconds: seconds &* 1_000_000_000 &+ rest &* 1_000_000_000 / numerator)
    }

    /// The last tick due once `elapsed` has passed since tick 0.
    func index(at elapsed: MediaDuration) -> Int64 {
      Int64(exactly: (elapsed.seconds * perSecond).rounded(.down)) ?? 0
    }
  }

  private let thread: WorkerThread
  private let isStopped: Flag

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  /// Sleeping is cut into pieces of this length, so that `stop()` is quick at low rates too.
  private static let longestSleep = MediaDuration.milliseconds(20)

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the thread's name, at most 15 bytes.
  ///   - rate: how often.
  ///   - patience: ticks that are later than this are left out; those less late follow each other at once. Sound wants
  ///     much of it (nothing is lost), pictures none.
  ///   - makeBody: called first on the thread; makes what is called for each tick there, which returns whether to go on.
  /// - Returns: `nil` if the system cannot make another thread.
  public init?(
    name: String, rate: Rate, patience: MediaDuration, _ makeBody: @escaping @Sendable () -> (Tick) -> Bool
  ) {
    let isStopped = Flag()
    self.isStopped = isStopped
    thread = WorkerThread(name: name) {
      Self.run(rate: rate, patience: patience, isStopped: isStopped, makeBody())
    }
    guard thread.hasStarted else { return nil }
  }

  /// Starts the thread of a source, which cannot do without one.
  ///
  /// - Parameters:
  ///   - source: the source's name, for the error.
  ///   - name: the thread's name, at most 15 bytes.
  ///   - rate: how often.
  ///   - patience: as for `init`.
  ///   - makeBody: as for `init`.
  public static func started(
    for source: String, name: String, rate: Rate, patience: MediaDuration,
    _ makeBody: @escaping @Sendable () -> (Tick) -> Bool
  ) throws(MediaDeviceError) -> PacedThread {
    guard let paced = PacedThread(name: name, rate: rate, patience: patience, makeBody) else {
      throw .withoutThread(source)
    }
    return paced
  }

  deinit { isStopped.value.store(true, ordering: .releasing) }

  /// Ends the thread; when it returns, nothing runs any more. Idempotent; must not be called on the thread itself.
  public func stop() {
    isStopped.value.store(true, ordering: .releasing)
    thread.join()
  }

  private static func run(rate: Rate, patience: MediaDuration, isStopped: Flag, _ body: (Tick) -> Bool) {
    let startTime = MonotonicClock.now()
    var index: Int64 = 0
    while true {
      let dueTime = startTime + rate.offset(of: index)
      var now = MonotonicClock.now()
      while now < dueTime {
        if isStopped.value.load(ordering: .acquiring) { return }
        MonotonicClock.sleep(until: min(dueTime, now + longestSleep))
        now = MonotonicClock.now()
      }
      if isStopped.value.load(ordering: .acquiring) { return }
      guard body(Tick(index: index, dueTime: dueTime, startTime: startTime)) else { return }
      index += 1
      now = MonotonicClock.now()
      if now - (startTime + rate.offset(of: index)) > patience {
        index = max(index, rate.index(at: now - startTime))
      }
    }
  }
}
