import CLinuxShims
import Glibc
import MediaBase
import Synchronization

/// One thread's loop over descriptors, a timer and closures that other threads post (epoll, eventfd).
///
/// `post` and `stop` may be called from any thread. Everything else belongs to the thread that calls `run()`, or to
/// whoever made the loop before that. Each turn serves the descriptors that are ready, then the timer, then what has been
/// posted, in the order of posting.
public final class EventLoop: @unchecked Sendable {
  // @unchecked: `inbox` has its lock; the rest is touched by the loop's thread, or before it starts.

  private struct Handler {
    let generation: UInt32
    let body: () -> Void
  }

  private struct Inbox {
    var jobs: [@Sendable () -> Void] = []
    var isStopping = false
    /// No job is accepted any more.
    var isClosed = false
  }

  private static let eventsPerTurn = 64

  private let poller: Int32
  private let wake = WakeEvent()
  private let events: UnsafeMutablePointer<clx_epoll_event>
  private let inbox = ThreadCondition(Inbox())
  private let thread = Atomic<UInt>(0)

  private var handlers: [Int32: Handler] = [:]
  private var generation: UInt32 = 0
  private var timer: (time: MediaInstant, body: () -> Void)?

  /// Makes a loop that watches nothing yet. Without descriptors (the process has used up its number) it still runs what
  /// is posted and the timer, by looking every 5 ms; `isWatching` tells.
  public init() {
    poller = clx_epoll_create()
    events = .allocate(capacity: Self.eventsPerTurn)
    events.initialize(repeating: clx_epoll_event(), count: Self.eventsPerTurn)
    if isWatching {
      watch(wake.fileDescriptor, generation: 0)
    }
  }

  deinit {
    events.deallocate()
    if poller >= 0 { close(poller) }
  }

  /// Whether the system gave the loop the descriptors that it needs.
  public var isWatching: Bool { poller >= 0 && wake.fileDescriptor >= 0 }

  /// Whether the calling thread is the one inside `run()`.
  public var isCurrentThread: Bool { thread.load(ordering: .acquiring) == UInt(pthread_self()) }

  // MARK: from any thread

  /// Has the loop run `body` after everything posted before. `false` if the loop has ended: then `body` will not run.
  /// What was accepted does run, if the loop runs at all.
  @discardableResult
  public func post(_ body: @escaping @Sendable () -> Void) -> Bool {
    let (isAccepted, wasEmpty) = inbox.withLock { inbox -> (Bool, Bool) in
      guard !inbox.isClosed else { return (false, false) }
      inbox.jobs.append(body)
      return (true, inbox.jobs.count == 1)
    }
    if wasEmpty { wake.signal() }
    return isAccepted
  }

  /// Has `run()` return after what has been posted so far. Idempotent.
  public func stop() {
    inbox.withLock { $0.isStopping = true }
    wake.signal()
  }

  // MARK: on the loop's thread

  /// Calls `body` whenever `fileDescriptor` is readable or has failed; `body` must read it empty or until it would block,
  /// or is called again. Replaces an earlier closure. `false` if the kernel refuses to watch it.
  @discardableResult
  public func add(fileDescriptor: Int32, _ body: @escaping () -> Void) -> Bool {
    remove(fileDescriptor: fileDescriptor)
    generation &+= 1
    guard isWatching, watch(fileDescriptor, generation: generation) else { return false }
    handlers[fileDescriptor] = Handler(generation: generation, body: body)
    return true
  }

  /// Whether the closure of `fileDescriptor` is also to be called while it can be written to. `false` if the kernel refuses.
  @discardableResult
  public func watchWriting(fileDescriptor: Int32, _ wanted: Bool) -> Bool {
    guard let handler = handlers[fileDescriptor] else { return false }
    let events = wanted ? clx_EPOLLIN | clx_EPOLLOUT : clx_EPOLLIN
    return clx_epoll_modify(poller, fileDescriptor, events, Self.token(fileDescriptor, handler.generation)) == 0
  }

  /// Stops watching `fileDescriptor`; to be called before it is closed. Allowed inside any callback: a removed closure is
  /// not called any more, not even in the same turn.
  public func remove(fileDescriptor: Int32) {
    guard handlers.removeValue(forKey: fileDescriptor) != nil else { return }
    _ = clx_epoll_remove(poller, fileDescriptor)
  }

  /// Calls `body` once when the monotonic clock has reached `time`, in place of the timer set before; `nil` for no timer.
  /// Costs no system call.
  public func setTimer(at time: MediaInstant?, _ body: @escaping () -> Void) {
    timer = time.map { ($0, body) }
  }

  /// Serves descriptors, timer and posts until `stop()`, then lets go of every closure. To be called once.
  public func run() {
    thread.store(UInt(pthread_self()), ordering: .releasing)
    while true {
      turn()
      if runPosted() { break }
    }
    for fileDescriptor in Array(handlers.keys) { remove(fileDescriptor: fileDescriptor) }
    timer = nil
    thread.store(0, ordering: .releasing)
  }

  // MARK: inside

  @discardableResult
  private func watch(_ fileDescriptor: Int32, generation: UInt32) -> Bool {
    clx_epoll_add(poller, fileDescriptor, clx_EPOLLIN, Self.token(fileDescriptor, generation)) == 0
  }

  private static func token(_ fileDescriptor: Int32, _ generation: UInt32) -> UInt64 {
    UInt64(generation) &<< 32 | UInt64(UInt32(bitPattern: fileDescriptor))
  }

  private func turn() {
    guard isWatching else {
      MonotonicClock.sleep(for: .milliseconds(5))
      runTimer()
      return
    }
    let count = Int(clx_epoll_wait(poller, events, Int32(Self.eventsPerTurn), nanosecondsToTimer))
    // A negative count is EINTR: nothing has happened.
    for index in 0..<max(count, 0) {
      let token = events[index].data
      let fileDescriptor = Int32(truncatingIfNeeded: token)
      if fileDescriptor == wake.fileDescriptor {
        wake.clear()
      } else if let handler = handlers[fileDescriptor], handler.generation == UInt32(truncatingIfNeeded: token &>> 32) {
        // The generation differs if the number was closed and used again in this turn.
        handler.body()
      }
    }
    runTimer()
  }

  /// How long to wait for descriptors at most; -1 for as long as it takes.
  private var nanosecondsToTimer: Int64 {
    guard let timer else { return -1 }
    return max((timer.time - MonotonicClock.now()).nanoseconds, 0)
  }

  private func runTimer() {
    guard let due = timer, due.time <= MonotonicClock.now() else { return }
    timer = nil
    due.body()
  }

  /// Runs what has been posted so far; `true` if that was the last.
  private func runPosted() -> Bool {
    let (jobs, isLast) = inbox.withLock { inbox -> ([@Sendable () -> Void], Bool) in
      defer { inbox.jobs = [] }
      if inbox.isStopping { inbox.isClosed = true }
      return (inbox.jobs, inbox.isClosed)
    }
    for job in jobs { job() }
    return isLast
  }
}
