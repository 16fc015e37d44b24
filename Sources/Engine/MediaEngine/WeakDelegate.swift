/// A delegate that is not kept alive.
struct WeakDelegate: Sendable {
  weak let value: (any RTCEngineDelegate)?

  /// By which it is found without being kept alive even for a moment.
  let id: ObjectIdentifier

  init(_ value: any RTCEngineDelegate) {
    self.value = value
    id = ObjectIdentifier(value)
  }
}

/// Delegates in the order in which they were added, each at most once.
struct DelegateList: Sendable {
  private var entries: [WeakDelegate] = []

  /// - Returns: who was there before. One of them may be held by nobody else any more: the caller lets go of them when it
  ///   holds no lock, since their `deinit` may call the engine.
  mutating func add(_ delegate: any RTCEngineDelegate) -> [any RTCEngineDelegate] {
    let present = all
    entries = present.filter { $0 !== delegate }.map(WeakDelegate.init) + [WeakDelegate(delegate)]
    return present
  }

  mutating func remove(_ delegate: any RTCEngineDelegate) {
    let id = ObjectIdentifier(delegate)
    entries.removeAll { $0.id == id }
  }

  var all: [any RTCEngineDelegate] { entries.compactMap(\.value) }
}
