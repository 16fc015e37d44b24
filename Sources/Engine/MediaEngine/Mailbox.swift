import Dispatch
import Synchronization

/// State that several threads change and one thread waits for.
final class Mailbox<State: Sendable>: Sendable {
  private let state: Mutex<Slot>
  private let semaphore = DispatchSemaphore(value: 0)

  private struct Slot {
    var state: State
    var isSignalled = false
    var isClosed = false
  }

  init(_ state: State) { self.state = Mutex(Slot(state: state)) }

  /// Changes the state without waking the waiting thread.
  func access<Result: Sendable>(_ body: (inout State) -> sending Result) -> sending Result {
    state.withLock { body(&$0.state) }
  }

  /// Puts a value in another's place and gives that back, so that it is let go of without the lock.
  func exchange<Value: Sendable>(_ path: WritableKeyPath<State, Value>, _ value: Value) -> Value {
    state.withLock { slot in
      defer { slot.state[keyPath: path] = value }
      return slot.state[keyPath: path]
    }
  }

  /// Changes the state and wakes the waiting thread. Nothing is done once the mailbox is closed.
  func post(_ body: (inout State) -> Void) {
    let wakes = state.withLock { slot in
      guard !slot.isClosed else { return false }
      body(&slot.state)
      defer { slot.isSignalled = true }
      return !slot.isSignalled
    }
    if wakes { semaphore.signal() }
  }

  /// Waits for a post, then takes what `body` takes; `nil` once the mailbox is closed.
  func wait<Result: Sendable>(_ body: (inout State) -> sending Result) -> sending Result? {
    semaphore.wait()
    return take(body)
  }

  /// Like `wait`, but takes anyway after `milliseconds`.
  func wait<Result: Sendable>(atMost milliseconds: Int, _ body: (inout State) -> sending Result) -> sending Result? {
    _ = semaphore.wait(timeout: .now() + .milliseconds(milliseconds))
    return take(body)
  }

  private func take<Result: Sendable>(_ body: (inout State) -> sending Result) -> sending Result? {
    state.withLock { slot -> Result? in
      slot.isSignalled = false
      return slot.isClosed ? nil : body(&slot.state)
    }
  }

  var isOpen: Bool { state.withLock { !$0.isClosed } }

  /// Makes every wait, present and future, return `nil`.
  func close() {
    state.withLock { $0.isClosed = true }
    semaphore.signal()
  }
}
