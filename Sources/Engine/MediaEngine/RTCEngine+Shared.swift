import Synchronization

extension RTCEngine {
  /// The process's engine: made by the first call, given by later ones, whose arguments are then only looked at for the
  /// delegate. It lives until `destroyShared()`.
  public static func shared(
    configuration: RTCEngineConfiguration, delegate: (any RTCEngineDelegate)? = nil
  ) -> RTCEngine {
    sharedEngine.withLock { engine in
      if let present = engine {
        if let delegate { present.addDelegate(delegate) }
        return present
      }
      let new = RTCEngine(configuration: configuration, delegate: delegate)
      engine = new
      return new
    }
  }

  /// Destroys the process's engine, if there is one. The next `shared(configuration:delegate:)` makes a new one.
  public static func destroyShared() {
    let engine = sharedEngine.withLock { $0.take() }
    engine?.destroy()
  }

  private static let sharedEngine = Mutex<RTCEngine?>(nil)
}
