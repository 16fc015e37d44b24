import Dispatch
import Synchronization

/// Calls delegates one after the other on the application's queue.
final class DelegateDispatcher: Sendable {
  private let queue: DispatchQueue
  private let registry: CallbackRegistry
  private let state = Mutex(State())

  private struct State {
    var isStopped = false
    var delegates = DelegateList()
    weak var engine: RTCEngine?
  }

  init(queue: DispatchQueue?, registry: CallbackRegistry) {
    self.queue = queue ?? DispatchQueue(label: "media-engine.delegates")
    self.registry = registry
  }

  func setEngine(_ engine: RTCEngine) { state.withLock { $0.engine = engine } }

  func add(_ delegate: any RTCEngineDelegate) { state.withLock { $0.delegates.add(delegate) } }

  func remove(_ delegate: any RTCEngineDelegate) { state.withLock { $0.delegates.remove(delegate) } }

  /// No delegate is called any more, except for a call that is already running.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.delegates = DelegateList()
    }
  }

  /// Tells the delegates of a connection, or with `nil` those of the engine.
  func tell(_ handle: ConnectionHandle?, _ body: @escaping @Sendable (RTCEngine, any RTCEngineDelegate) -> Void) {
    queue.async { [self] in
      // The audience is looked up late, so that a delegate that was added in an earlier callback hears the rest.
      let (own, engineToo) = handle?.audience ?? ([], true)
      let (engine, delegates) = state.withLock { state in
        (state.isStopped ? nil : state.engine, own + (engineToo ? state.delegates.all : []))
      }
      guard let engine else { return }
      for delegate in delegates {
        guard !state.withLock({ $0.isStopped }) else { return }
        registry.call { body(engine, delegate) }
      }
    }
  }

  /// Runs a closure of the application's in the same order as the delegate calls.
  func run(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      guard !state.withLock({ $0.isStopped }) else { return }
      registry.call(body)
    }
  }
}
