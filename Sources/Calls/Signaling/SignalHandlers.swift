import Synchronization

/// The handlers of one client, for those who write one: may be used from any thread.
public final class SignalHandlers: Sendable {
  private struct State {
    var nextID: UInt64 = 1
    var entries: [(id: UInt64, handler: @Sendable (SignalEvent) -> Void)] = []
  }

  private let state = Mutex(State())

  /// Makes an empty list.
  public init() {}

  /// Adds a handler, behind the others.
  public func add(_ handler: @escaping @Sendable (SignalEvent) -> Void) -> SignalHandlerID {
    state.withLock { state in
      defer { state.nextID += 1 }
      state.entries.append((state.nextID, handler))
      return SignalHandlerID(value: state.nextID)
    }
  }

  /// Takes a handler off and lets it go.
  public func remove(_ id: SignalHandlerID) {
    // Whatever the handler holds is let go outside the lock: its end may come back here.
    var removed: [@Sendable (SignalEvent) -> Void] = []
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.id == id.value }) else { return }
      removed.append(state.entries.remove(at: index).handler)
    }
    removed.removeAll()
  }

  /// Takes all handlers off.
  public func removeAll() {
    var removed: [(id: UInt64, handler: @Sendable (SignalEvent) -> Void)] = []
    state.withLock { swap(&$0.entries, &removed) }
  }

  /// Calls all handlers in order; those that are taken off meanwhile are not called.
  public func call(_ event: SignalEvent) {
    for id in state.withLock({ $0.entries.map(\.id) }) {
      // Looked up again: an earlier handler may have removed a later one.
      let handler = state.withLock { $0.entries.first { $0.id == id }?.handler }
      handler?(event)
    }
  }
}
