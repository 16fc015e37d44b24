import Synchronization

extension RTCEngine {
  /// The process's engine: made by the first call, given by later ones, whose arguments are then only looked at for the
  /// delegate. It lives until `destroyShared()`, or until it is destroyed itself: then the next call makes a new one.
  /// May be called from any thread and callback.
  public static func shared(
    configuration: RTCEngineConfiguration, delegate: (any RTCEngineDelegate)? = nil
  ) -> RTCEngine {
    // What is let go of goes without the lock: what it keeps alive may ask for the shared engine when it goes.
    var gone: RTCEngine?
    let (engine, isNew) = sharedEngine.withLock { engine in
      if let present = engine, !present.isDestroyed { return (present, false) }
      gone = engine
      let new = RTCEngine(configuration: configuration, delegate: delegate)
      engine = new
      return (new, true)
    }
    withExtendedLifetime(gone) {}
    if !isNew, let delegate { engine.addDelegate(delegate) }
    return engine
  }

  private var isDestroyed: Bool { runtime.intent.withLock { $0.isDestroyed } }

  /// Destroys the process's engine, if there is one. The next `shared(configuration:delegate:)` makes a new one.
  public static func destroyShared() {
    let engine = sharedEngine.withLock { $0.take() }
    engine?.destroy()
  }

  private static let sharedEngine = Mutex<RTCEngine?>(nil)
}
