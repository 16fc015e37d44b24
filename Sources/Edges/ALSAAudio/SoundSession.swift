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
