extension RTCEngine {
  /// For faces of the engine in this package: hears every event that delegates are told, before them, on their queue.
  package func setEventListener(_ listener: (@Sendable (RTCEvent) -> Void)?) {
    runtime.dispatcher.setListener(listener)
  }

  /// Whether the calling thread is inside one of the engine's callbacks.
  package var isInsideCallback: Bool { runtime.registry.isInsideCallback }
}
