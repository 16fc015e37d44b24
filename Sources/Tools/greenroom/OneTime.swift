import Dispatch
import Synchronization

/// A value that one thread sets and another waits for.
final class OneTime<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Sets the value; later ones replace it.
  func set(_ new: Value) {
    value.withLock { $0 = new }
    semaphore.signal()
  }

  /// Whether there is a value.
  var isSet: Bool { value.withLock { $0 != nil } }

  /// Waits for the value; `nil` if it does not come in time.
  func wait(seconds: Double) -> Value? {
    _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(seconds * 1e9)))
    return value.withLock { $0 }
  }
}
