import EngineCore

/// Publish and subscribe states as short texts.
func streamStates(_ events: [ConnectionEvent]) -> [String] {
  events.compactMap { event -> String? in
    switch event {
    case .publishState(let kind, let old, let new, _): "publish \(kind) \(old.rawValue)>\(new.rawValue)"
    case .subscribeState(let uid, let kind, let old, let new, _):
      "subscribe \(uid) \(kind) \(old.rawValue)>\(new.rawValue)"
    default: nil
    }
  }
}
