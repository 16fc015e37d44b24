import LinuxIO
import MediaBase

/// An event loop with a thread of its own and as many timers as one likes. The thread ends when the object goes.
final class ServerLoop: @unchecked Sendable {
  // @unchecked: `timers` is touched on the loop's thread only.

  /// For descriptors, on the loop's thread only.
  let events: EventLoop
  private let thread: WorkerThread
  private var timers = TimerQueue()
  private var armedTime: MediaInstant?

  init(name: String) {
    let events = EventLoop()
    self.events = events
    thread = WorkerThread(name: name) { events.run() }
  }

  deinit {
    let isCurrent = isCurrent
    events.stop()
    if isCurrent { thread.detach() } else { thread.join() }
  }

  /// Whether there is a thread, with the descriptors that it needs.
  var isRunning: Bool { thread.hasStarted && events.isWatching }

  /// Whether the caller is the loop's thread.
  var isCurrent: Bool { events.isCurrentThread }

  /// Does something on the loop's thread, after everything that was asked for before.
  func post(_ body: @escaping @Sendable () -> Void) { events.post(body) }

  /// Does something on the loop's thread after a while, unless the loop has gone by then.
  func post(afterMilliseconds delay: UInt32, _ body: @escaping @Sendable () -> Void) {
    let time = MonotonicClock.now() + .milliseconds(Int64(delay))
    if isCurrent { return add(time, body) }
    post { [weak self] in self?.add(time, body) }
  }

  /// Does something on the loop's thread and waits for its result; `nil` if there is no such thread any more. Not from that
  /// thread.
  func wait<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value? {
    guard thread.hasStarted else { return nil }
    let answer = Answer<Value>()
    return events.post { answer.give(body()) } ? answer.take() : nil
  }

  private func add(_ time: MediaInstant, _ body: @escaping @Sendable () -> Void) {
    timers.insert(time, body)
    arm()
  }

  private func arm() {
    guard let first = timers.firstTime else { return }
    if let armedTime, armedTime <= first { return }
    armedTime = first
    events.setTimer(at: first) { [weak self] in self?.runTimers() }
  }

  private func runTimers() {
    armedTime = nil
    let now = MonotonicClock.now()
    while let body = timers.popFirst(dueAt: now) { body() }
    arm()
  }
}
