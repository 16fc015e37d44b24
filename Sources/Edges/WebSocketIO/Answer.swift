import Dispatch
import Synchronization

/// Brings one value from the loop's thread to a thread that waits.
final class Answer<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func give(_ new: Value) {
    value.withLock { $0 = new }
    semaphore.signal()
  }

  func take() -> Value? {
    semaphore.wait()
    return value.withLock { $0 }
  }
}
