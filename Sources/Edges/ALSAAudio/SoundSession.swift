import LinuxIO
import MediaBase
import Synchronization

/// The thread of a started device and the means to end it.
struct SoundSession: Sendable {
  let wake: WakeEvent
  let isStopping: StopFlag
  let thread: WorkerThread

  /// Ends the thread and waits for it.
  func end() {
    isStopping.set()
    wake.signal()
    thread.join()
  }
}

/// Set once, seen by the device's thread.
final class StopFlag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}

/// What a device's thread tells, and what can be asked of it.
final class SoundMonitor: Sendable {
  private struct State {
    var statistics = SoundStatistics()
    var delay = MediaDuration.zero
    var observer: (@Sendable (MediaDeviceError?) -> Void)?
    var told: MediaDeviceError?
  }

  private let state = Mutex(State())

  var statistics: SoundStatistics { state.withLock { $0.statistics } }
  var delay: MediaDuration { state.withLock { $0.delay } }

  func begin() {
    state.withLock { state in
      state.statistics = SoundStatistics()
      state.told = nil
    }
  }

  func setObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?) { state.withLock { $0.observer = observer } }

  func change(_ body: (inout SoundStatistics) -> Void) { state.withLock { body(&$0.statistics) } }

  func setDelay(_ delay: MediaDuration) { state.withLock { $0.delay = delay } }

  /// Tries to open a device that is away; whether it is back. Why not is told, but not once more that it is gone.
  func reopens(_ open: () throws(MediaDeviceError) -> Void) -> Bool {
    do throws(MediaDeviceError) {
      try open()
      change { $0.restarts += 1 }
      return true
    } catch {
      change { $0.rate = 0 }
      switch error {
      case .notFound, .disconnected: if state.withLock({ $0.told == nil }) { tell(error) }
      default: tell(error)
      }
      return false
    }
  }

  /// Tells the observer unless it knows.
  func tell(_ error: MediaDeviceError?) {
    let observer = state.withLock { state -> (@Sendable (MediaDeviceError?) -> Void)? in
      guard state.told != error else { return nil }
      state.told = error
      return state.observer
    }
    observer?(error)
  }
}

/// When to look for a device that is away: now and then, and whenever the sound cards change.
struct DeviceSearch {
  private static let interval = MediaDuration.milliseconds(300)
  private var next = MonotonicClock.now()

  mutating func isDue(_ now: MediaInstant) -> Bool {
    guard now >= next else { return false }
    next = now + Self.interval
    return true
  }
}
