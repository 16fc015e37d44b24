import MediaBase

/// A queue between threads that holds at most `capacity` elements and drops by policy when it is full. The reader can
/// wait; the writer never does.
public final class BoundedQueue<Element: Sendable>: Sendable {
  /// What gives way when the queue is full.
  public enum DropPolicy: Sendable {
    /// The element that has waited longest: for live media, where the newest counts.
    case oldest
    /// The one that is being pushed.
    case newest
  }

  private struct State {
    var slots: [Element?]
    var head = 0
    var count = 0
    var dropped = 0
    var isClosed = false

    mutating func append(_ element: Element) {
      slots[(head + count) % slots.count] = element
      count += 1
    }

    mutating func takeFirst() -> Element? {
      guard count > 0 else { return nil }
      let element = slots[head].take()
      head = (head + 1) % slots.count
      count -= 1
      return element
    }
  }

  private enum Popped {
    case element(Element)
    case closed
  }

  private let state: ThreadCondition<State>
  private let policy: DropPolicy

  /// The most elements it holds, at least 1.
  public let capacity: Int

  /// Makes an empty queue.
  public init(capacity: Int, dropping policy: DropPolicy = .oldest) {
    self.capacity = max(1, capacity)
    self.policy = policy
    state = ThreadCondition(State(slots: Array(repeating: nil, count: max(1, capacity))))
  }

  /// Appends `element`. `false` if it was not taken: the queue is closed, or full and drops the newest.
  @discardableResult
  public func push(_ element: Element) -> Bool {
    // What is dropped is let go outside the lock: its end may take time.
    var victim: Element?
    defer { withExtendedLifetime(victim) {} }
    return state.change { state in
      guard !state.isClosed else { return false }
      if state.count == capacity {
        state.dropped += 1
        guard policy == .oldest else { return false }
        victim = state.takeFirst()
      }
      state.append(element)
      return true
    }
  }

  /// The next element, waiting for one; `nil` once the queue is closed and empty.
  public func pop() -> Element? {
    let popped = state.wait { Self.take(&$0) }
    guard case .element(let element) = popped else { return nil }
    return element
  }

  /// The next element, waiting for at most `duration`; `nil` if none came or the queue is closed and empty.
  public func pop(waitingAtMost duration: MediaDuration) -> Element? {
    guard case .element(let element) = state.wait(until: MonotonicClock.now() + duration, { Self.take(&$0) }) else {
      return nil
    }
    return element
  }

  /// The next element, if there is one now.
  public func tryPop() -> Element? { state.withLock { $0.takeFirst() } }

  /// Takes no more elements; readers get what is left, then `nil`. Idempotent.
  public func close() { state.change { $0.isClosed = true } }

  /// Lets go of everything inside, which does not count as dropped.
  public func removeAll() {
    var old: [Element?] = []
    state.withLock { state in
      old = state.slots
      state.slots = Array(repeating: nil, count: capacity)
      state.head = 0
      state.count = 0
    }
    old.removeAll()
  }

  /// Elements inside now.
  public var count: Int { state.withLock { $0.count } }
  /// Elements that were dropped because the queue was full.
  public var droppedCount: Int { state.withLock { $0.dropped } }
  /// Whether `close()` has been called.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  private static func take(_ state: inout State) -> Popped? {
    if let element = state.takeFirst() { return .element(element) }
    return state.isClosed ? .closed : nil
  }
}
