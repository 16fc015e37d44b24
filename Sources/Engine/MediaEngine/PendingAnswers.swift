import Synchronization

/// Who waits for something that the end of the engine makes impossible.
final class PendingAnswers: Sendable {
  private struct State {
    var isOver = false
    var nextKey = 1
    var waiting: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Notes what to do if the engine ends; it is done at once if that has happened.
  func add(_ giveUp: @escaping @Sendable () -> Void) -> Int {
    let (key, isOver) = state.withLock { state in
      state.nextKey += 1
      if !state.isOver { state.waiting[state.nextKey] = giveUp }
      return (state.nextKey, state.isOver)
    }
    if isOver { giveUp() }
    return key
  }

  func remove(_ key: Int) { state.withLock { $0.waiting[key] = nil } }

  /// The engine has ended.
  func giveUp() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for giveUp in waiting.values { giveUp() }
  }
}

extension EngineRuntime {
  func addPending(_ giveUp: @escaping @Sendable () -> Void) -> Int { pending.add(giveUp) }

  func removePending(_ key: Int) { pending.remove(key) }
}
