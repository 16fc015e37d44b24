/// A delegate that is not kept alive.
struct WeakDelegate: Sendable {
  weak let value: (any RTCEngineDelegate)?

  init(_ value: any RTCEngineDelegate) { self.value = value }
}

/// Delegates in the order in which they were added, each at most once.
struct DelegateList: Sendable {
  private var entries: [WeakDelegate] = []

  mutating func add(_ delegate: any RTCEngineDelegate) {
    entries.removeAll { $0.value == nil || $0.value === delegate }
    entries.append(WeakDelegate(delegate))
  }

  mutating func remove(_ delegate: any RTCEngineDelegate) {
    entries.removeAll { $0.value == nil || $0.value === delegate }
  }

  var all: [any RTCEngineDelegate] { entries.compactMap(\.value) }
}
