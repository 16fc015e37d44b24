import Dispatch
import LinuxIO
import MediaBase
import Synchronization

/// Commands to a Redis and texts from one of its channels, by hiredis, on two threads of its own. Connections that are lost
/// are made again by themselves.
public final class RedisClient: Sendable {
  /// Called with the answer, on a thread of the client's; `nil` if there is no connection, or it was lost before the answer:
  /// then the command may have been done or not.
  public typealias Completion = @Sendable (RedisReply?) -> Void

  private struct Job: Sendable {
    var command: [String]
    var completion: Completion
  }

  private struct State {
    var jobs: [Job] = []
    var isStopped = false
    var isConnected = false
    var isSubscribed = false
  }

  private let address: RedisAddress
  private let channel: String
  private let onText: @Sendable (String) -> Void
  private let onReady: @Sendable (Bool) -> Void
  private let state: Shared
  private let commands: WorkerThread
  private let subscriptions: WorkerThread

  /// Shared with the threads, which may outlive the client by a moment.
  private final class Shared: Sendable {
    let value = Mutex(State())
    let work = DispatchSemaphore(value: 0)
    var isStopped: Bool { value.withLock { $0.isStopped } }
  }

  /// Commands that may wait; more are answered with `nil`.
  static let jobLimit = 100_000
  /// How long the connection that only listens may be silent.
  private static let silence = MediaDuration.milliseconds(9_000)

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - channel: whose texts are wanted.
  ///   - onText: called with each text, in order, on a thread of the client's.
  ///   - onReady: called whenever commands and texts both begin or cease to flow.
  public init(
    _ address: RedisAddress, channel: String, onText: @escaping @Sendable (String) -> Void,
    onReady: @escaping @Sendable (Bool) -> Void
  ) {
    let state = Shared()
    self.address = address
    self.channel = channel
    self.onText = onText
    self.onReady = onReady
    self.state = state
    commands = WorkerThread(name: "redis") { Self.runCommands(address, state, onReady) }
    subscriptions = WorkerThread(name: "redis-sub") { Self.listen(address, channel, state, onText, onReady) }
  }

  deinit { stop() }

  /// Whether commands and texts flow.
  public var isReady: Bool { state.value.withLock { $0.isConnected && $0.isSubscribed } }

  /// Sends a command, after those before.
  public func send(_ command: [String], then completion: @escaping Completion = { _ in }) {
    let isTaken = state.value.withLock { state in
      guard state.isConnected, !state.isStopped, state.jobs.count < Self.jobLimit else { return false }
      state.jobs.append(Job(command: command, completion: completion))
      return true
    }
    if isTaken { state.work.signal() } else { completion(nil) }
  }

  /// Ends both connections. Not from a completion. Idempotent.
  public func stop() {
    state.value.withLock { $0.isStopped = true }
    state.work.signal()
    commands.join()
    subscriptions.join()
  }

  private static func set(_ state: Shared, _ onReady: (Bool) -> Void, _ change: (inout State) -> Void) {
    let (before, after) = state.value.withLock { value in
      let before = value.isConnected && value.isSubscribed
      change(&value)
      return (before, value.isConnected && value.isSubscribed)
    }
    if before != after { onReady(after) }
  }

  private static func runCommands(_ address: RedisAddress, _ state: Shared, _ onReady: (Bool) -> Void) {
    var pause = Pause()
    while !state.isStopped {
      if let connection = RedisConnection(address), connection.begin(address) {
        pause = Pause()
        set(state, onReady) { $0.isConnected = true }
        while !state.isStopped, runJobs(connection, state) {}
      }
      set(state, onReady) { $0.isConnected = false }
      for job in takeJobs(state) { job.completion(nil) }
      pause.wait { state.isStopped }
    }
  }

  private static func takeJobs(_ state: Shared) -> [Job] {
    state.value.withLock { state in
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }

  /// Sends all commands that wait, then reads their answers. False if the connection has failed.
  private static func runJobs(_ connection: borrowing RedisConnection, _ state: Shared) -> Bool {
    if state.work.wait(timeout: .now() + .seconds(1)) == .timedOut {
      // To notice that it is gone before somebody needs it.
      return connection.append(["PING"]) && connection.readReply() != nil
    }
    let jobs = takeJobs(state)
    var isSound = true
    for job in jobs where isSound { isSound = connection.append(job.command) }
    for job in jobs {
      let reply = isSound ? connection.readReply() : nil
      isSound = reply != nil
      job.completion(reply)
    }
    return isSound
  }

  private static func listen(
    _ address: RedisAddress, _ channel: String, _ state: Shared, _ onText: (String) -> Void, _ onReady: (Bool) -> Void
  ) {
    var pause = Pause()
    while !state.isStopped {
      if let connection = RedisConnection(address), connection.begin(address),
        connection.append(["SUBSCRIBE", channel]), connection.flush()
      {
        listen(connection, state, onText) { isSubscribed in
          if isSubscribed { pause = Pause() }
          set(state, onReady) { $0.isSubscribed = isSubscribed }
        }
      }
      set(state, onReady) { $0.isSubscribed = false }
      pause.wait { state.isStopped }
    }
  }

  private static func listen(
    _ connection: borrowing RedisConnection, _ state: Shared, _ onText: (String) -> Void,
    _ onSubscribed: (Bool) -> Void
  ) {
    var (hearTime, pingTime) = (MonotonicClock.now(), MonotonicClock.now())
    while !state.isStopped {
      let isSound = connection.receive(waitingMilliseconds: 200) { reply in
        hearTime = MonotonicClock.now()
        guard case .array(let parts) = reply, parts.count == 3 else { return }
        switch parts[0].text {
        case "message": if let text = parts[2].text { onText(text) }
        case "subscribe": onSubscribed(true)
        default: break
        }
      }
      let now = MonotonicClock.now()
      guard isSound, now - hearTime < silence else { return }
      if now - pingTime > .milliseconds(3_000) {
        pingTime = now
        guard connection.append(["PING"]), connection.flush() else { return }
      }
    }
  }

  /// Between attempts: 0.1 s, doubling up to 3 s.
  private struct Pause {
    private var milliseconds: Int64 = 100

    mutating func wait(until isOver: () -> Bool) {
      let end = MonotonicClock.now() + .milliseconds(milliseconds)
      milliseconds = min(milliseconds * 2, 3_000)
      while MonotonicClock.now() < end, !isOver() { MonotonicClock.sleep(for: .milliseconds(20)) }
    }
  }
}
