import CLinuxShims
import Glibc
import MediaBase

/// A system thread with a name, which runs one closure to its end.
///
/// Letting go of the object does not end the thread: it runs on, detached.
public final class WorkerThread: Sendable {
  private struct State {
    /// Nobody has joined or detached it yet.
    var owned: pthread_t?
    var isFinished = false
  }

  /// What the new thread is given.
  private final class Start {
    let name: String
    let body: @Sendable () -> Void
    let state: ThreadCondition<State>

    init(name: String, body: @escaping @Sendable () -> Void, state: ThreadCondition<State>) {
      self.name = name
      self.body = body
      self.state = state
    }
  }

  private let identifier: pthread_t
  private let state = ThreadCondition(State())

  /// The thread's name, cut to the kernel's 15 bytes.
  public let name: String

  /// Whether the system could make the thread; if not (its limit of threads is reached), the closure never runs.
  public let hasStarted: Bool

  /// Starts a thread that runs `body`.
  ///
  /// - Parameters:
  ///   - name: shown by `top -H` and debuggers; what is beyond 15 bytes is cut off.
  ///   - stackSize: in bytes; `nil` for the system's default (usually 8 MiB of address space, used as touched).
  public init(name: String, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let shortName = Self.shortened(name)
    let thread = Self.makeThread(Start(name: shortName, body: body, state: state), stackSize: stackSize)
    self.name = shortName
    hasStarted = thread != nil
    identifier = thread ?? 0
    state.change { state in
      state.owned = thread
      if thread == nil { state.isFinished = true }
    }
  }

  deinit { detach() }

  /// Waits until the closure has returned and the thread is gone. Idempotent; several threads may wait. On the thread
  /// itself it does nothing, since that would wait forever.
  public func join() {
    if hasStarted, pthread_equal(identifier, pthread_self()) != 0, !state.withLock({ $0.isFinished }) { return }
    if let owned = state.withLock({ $0.owned.take() }) {
      pthread_join(owned, nil)
    } else {
      _ = state.wait { $0.isFinished ? true : nil }
    }
  }

  /// Lets the thread clean up after itself when it ends. `join()` afterwards waits for the closure only.
  public func detach() {
    if let owned = state.withLock({ $0.owned.take() }) { pthread_detach(owned) }
  }

  private static func makeThread(_ start: Start, stackSize: Int?) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, max(stackSize, 64 * 1_024)) }
    let context = Unmanaged.passRetained(start)
    var thread = pthread_t()
    // EAGAIN is often over in a moment: threads of somebody else that are just ending.
    for _ in 0..<20 {
      if pthread_create(&thread, &attributes, workerThreadMain, context.toOpaque()) == 0 { return thread }
      MonotonicClock.sleep(for: .milliseconds(10))
    }
    context.release()
    return nil
  }

  fileprivate static func run(_ context: UnsafeMutableRawPointer) {
    let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    _ = start.name.withCString { clx_set_thread_name($0) }
    start.body()
    start.state.change { $0.isFinished = true }
  }

  private static func shortened(_ name: String) -> String {
    var name = name
    while name.utf8.count > 15 { name.removeLast() }
    return name
  }
}

/// The entry of every worker thread.
private func workerThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { WorkerThread.run(context) }
  return nil
}
