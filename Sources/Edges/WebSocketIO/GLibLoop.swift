import CSoup
import LinuxIO
import Synchronization

/// A GMainContext with a thread of its own, on which everything of libsoup happens. The thread ends when the object goes.
final class GLibLoop: @unchecked Sendable {
  // @unchecked: the two pointers are set once; GLib locks what they point to.

  private let context: OpaquePointer
  private let loop: OpaquePointer
  private let thread: WorkerThread
  /// Of its clients; used on the thread only.
  let networks = NetworkWatch()

  /// The loop that all clients of this process share while there are any.
  private static let shared = Mutex<WeakLoop>(WeakLoop())

  private struct WeakLoop {
    weak var loop: GLibLoop?
  }

  /// The loop of the clients; made for the first, ended with the last.
  static func sharedByClients() -> GLibLoop {
    shared.withLock { shared in
      if let loop = shared.loop { return loop }
      let loop = GLibLoop(name: "websocket")
      shared.loop = loop
      return loop
    }
  }

  /// libsoup warns on standard error of clients that have gone while it looked: nothing that anybody could act on.
  private static let silenceLibrary: Void = {
    g_log_set_handler("libsoup", G_LOG_LEVEL_WARNING, { _, _, _, _ in }, nil)
  }()

  init(name: String) {
    _ = Self.silenceLibrary
    let context: OpaquePointer = g_main_context_new()
    let loop: OpaquePointer = g_main_loop_new(context, 0)
    // A reference of our own: the thread may end, and drop its own, while `attach` still uses the context.
    self.context = g_main_context_ref(context)
    self.loop = loop
    let pointers = LoopPointers(context: context, loop: loop)
    thread = WorkerThread(name: name) { pointers.run() }
  }

  deinit {
    // Asked before the thread may end, which frees the context.
    let isCurrent = isCurrent
    let pointers = LoopPointers(context: context, loop: loop)
    // From the context itself, so that what was asked for before is done.
    Self.attach(context) { pointers.quit() }
    if isCurrent { thread.detach() } else { thread.join() }
    g_main_context_unref(context)
  }

  /// Whether the caller is the loop's thread.
  var isCurrent: Bool { g_main_context_is_owner(context) != 0 }

  /// Does something on the loop's thread, after everything that was asked for before.
  func post(_ body: @escaping @Sendable () -> Void) { Self.attach(context, body) }

  /// Does something on the loop's thread after a while.
  func post(afterMilliseconds delay: UInt32, _ body: @escaping @Sendable () -> Void) {
    Self.attach(context, source: g_timeout_source_new(delay), body)
  }

  /// Does something on the loop's thread whenever there is something to read, as long as the loop lives.
  func watch(fileDescriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    guard let source = g_unix_fd_source_new(fileDescriptor, G_IO_IN) else { return }
    let run: GUnixFDSourceFunc = { _, _, data in
      _ = runJob(data)
      return 1
    }
    g_source_set_callback(
      source, unsafeBitCast(run, to: GSourceFunc.self), Unmanaged.passRetained(Job(body)).toOpaque(), freeJob)
    g_source_attach(source, context)
    g_source_unref(source)
  }

  /// Does something on the loop's thread and waits for its result. Not from that thread.
  func wait<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value? {
    let answer = Answer<Value>()
    post { answer.give(body()) }
    return answer.take()
  }

  private static func attach(
    _ context: OpaquePointer, source: UnsafeMutablePointer<GSource> = g_idle_source_new(),
    _ body: @escaping @Sendable () -> Void
  ) {
    g_source_set_priority(source, 0)
    let box = Unmanaged.passRetained(Job(body)).toOpaque()
    g_source_set_callback(source, runJob, box, freeJob)
    g_source_attach(source, context)
    g_source_unref(source)
  }
}

/// What the loop's thread needs; unlike the object it may outlive it.
private struct LoopPointers: @unchecked Sendable {
  // @unchecked: see GLibLoop.
  let context: OpaquePointer
  let loop: OpaquePointer

  func run() {
    g_main_context_push_thread_default(context)
    g_main_loop_run(loop)
    // What was closed just now may have work left.
    for _ in 0..<100 where g_main_context_iteration(context, 0) == 0 { break }
    g_main_context_pop_thread_default(context)
    g_main_loop_unref(loop)
    g_main_context_unref(context)
  }

  func quit() { g_main_loop_quit(loop) }
}

private final class Job: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runJob(_ data: UnsafeMutableRawPointer?) -> gboolean {
  if let data { Unmanaged<Job>.fromOpaque(data).takeUnretainedValue().body() }
  return 0
}

private func freeJob(_ data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<Job>.fromOpaque(data).release() }
}
