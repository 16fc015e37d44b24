import Dispatch
import Synchronization

/// Tells delegates and event streams what has happened, one event after the other, on the application's queue.
final class DelegateDispatcher: Sendable {
  private let queue: DispatchQueue
  private let registry: CallbackRegistry
  private let state = Mutex(State())

  private struct State {
    var isStopped = false
    var delegates = DelegateList()
    var streams = EventStreams()
    var listener: (@Sendable (RTCEvent) -> Void)?
    weak var engine: RTCEngine?
  }

  /// An event stream that nobody reads keeps the newest of its events, as many as this.
  static let streamCapacity = 4_096

  init(queue: DispatchQueue?, registry: CallbackRegistry) {
    self.queue = queue ?? DispatchQueue(label: "media-engine.delegates")
    self.registry = registry
  }

  func setEngine(_ engine: RTCEngine) { state.withLock { $0.engine = engine } }

  func add(_ delegate: any RTCEngineDelegate) {
    let seen = state.withLock { $0.delegates.add(delegate) }
    withExtendedLifetime(seen) {}
  }

  func remove(_ delegate: any RTCEngineDelegate) { state.withLock { $0.delegates.remove(delegate) } }

  func setListener(_ listener: (@Sendable (RTCEvent) -> Void)?) {
    let old = state.withLock { state in
      defer { state.listener = listener }
      return state.listener
    }
    withExtendedLifetime(old) {}
  }

  /// A view of the events, of one connection or of all. It ends with the engine.
  func events(of connection: RTCConnection?) -> AsyncStream<RTCEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: RTCEvent.self, bufferingPolicy: .bufferingNewest(Self.streamCapacity))
    let id = state.withLock { $0.isStopped ? nil : $0.streams.add(continuation, of: connection) }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.forgetStream(id) }
    return stream
  }

  private func forgetStream(_ id: Int) { state.withLock { $0.streams.remove(id) } }

  /// No delegate is called any more, except for a call that is already running; event streams end.
  func stop() {
    let (streams, listener) = state.withLock { state in
      state.isStopped = true
      state.delegates = DelegateList()
      defer { state.listener = nil }
      return (state.streams.removeAll(), state.listener)
    }
    withExtendedLifetime(listener) {}
    for stream in streams { stream.finish() }
  }

  /// Tells everybody of an event of a connection, or with `nil` of the engine.
  ///
  /// - Parameter toDelegates: false if something else has taken the place of the delegates' method.
  func tell(_ handle: ConnectionHandle?, _ event: RTCEvent, toDelegates: Bool = true) {
    queue.async { [self] in
      let (streams, listener) = state.withLock { state in
        (
          state.streams.isEmpty ? [] : state.streams.audience(of: event.connection, requested: handle?.requested),
          state.listener
        )
      }
      for stream in streams { stream.yield(event) }
      if let listener { registry.call { listener(event) } }
      if toDelegates { call(handle) { event.deliver(to: $1, of: $0) } }
    }
  }

  private func call(_ handle: ConnectionHandle?, _ body: (RTCEngine, any RTCEngineDelegate) -> Void) {
    // The audience is looked up late, so that a delegate that was added in an earlier callback hears the rest.
    let (own, engineToo) = handle?.audience ?? ([], true)
    let (engine, shared) = state.withLock { state in
      (state.isStopped ? nil : state.engine, engineToo ? state.delegates.all : [])
    }
    guard let engine else { return }
    // Who is on both lists hears everything once.
    for delegate in own + shared.filter({ delegate in !own.contains { $0 === delegate } }) {
      guard !state.withLock({ $0.isStopped }) else { return }
      registry.call { body(engine, delegate) }
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
