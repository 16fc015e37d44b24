import Foundation
import Synchronization
import Testing

/// Tests that block or that play in real time run on threads of their own, a few of them at a time.
///
/// Swift's pool has as many threads as there are cores. Tests that hold them, be it by waiting for a process or by
/// computing for a minute, would let all others wait; the limits of time of those would be over before they begin.
/// Signals are not blocked on these threads, as they are on the pool's: a process begun there would never see SIGTERM.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  /// Whether this is within a suite within another, which both ask for it.
  @TaskLocal private static var isInside = false
  private static let gate = Gate(places: 4)
  private static let threads = ElasticThreads()

  /// Asked of a suite for each of its tests.
  public var isRecursive: Bool { true }

  /// Waits for a place and runs a test on threads of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard !Self.isInside else { return try await function() }
    await Self.gate.enter()
    defer { Self.gate.leave() }
    try await Self.$isInside.withValue(true) {
      try await withTaskExecutorPreference(Self.threads) { try await function() }
    }
  }
}

extension Trait where Self == OwnThread {
  /// Each test of the suite runs on a thread of its own.
  public static var ownThread: Self { OwnThread() }
}

/// Lets so many in at a time; the others wait in the order in which they came.
private final class Gate: Sendable {
  private struct State {
    var places: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(places: Int) { state = Mutex(State(places: places)) }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.places == 0 else {
          state.places -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.places += 1
      return nil
    }
    next?.resume()
  }
}

/// Runs jobs on idle threads, and on new ones if there is none. Threads that have nothing to do for long end.
private final class ElasticThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var idle = 0
  }

  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isShort = state.withLock { state in
      state.jobs.append(job)
      return state.jobs.count > state.idle
    }
    if isShort { Thread.detachNewThread { [self] in work() } }
    arrived.signal()
  }

  private func work() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    state.withLock { $0.idle += 1 }
    while true {
      guard arrived.wait(timeout: .now() + .seconds(2)) == .success else {
        let isOver = state.withLock { state in
          guard state.jobs.count < state.idle else { return false }
          state.idle -= 1
          return true
        }
        if isOver { return }
        continue
      }
      let job = state.withLock { state in
        state.idle -= 1
        return state.jobs.removeFirst()
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.idle += 1 }
    }
  }
}
