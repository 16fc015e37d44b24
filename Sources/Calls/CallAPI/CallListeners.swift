import Synchronization

/// Listeners in the order of adding, held weakly.
final class CallListeners: Sendable {
  private struct Entry: Sendable {
    weak var listener: (any CallAPIListener)?
  }

  private let entries = Mutex<[Entry]>([])

  func add(_ listener: any CallAPIListener) {
    entries.withLock { entries in
      entries.removeAll { $0.listener == nil }
      if !entries.contains(where: { $0.listener === listener }) { entries.append(Entry(listener: listener)) }
    }
  }

  func remove(_ listener: any CallAPIListener) {
    entries.withLock { $0.removeAll { $0.listener == nil || $0.listener === listener } }
  }

  var all: [any CallAPIListener] { entries.withLock { $0.compactMap(\.listener) } }
}
