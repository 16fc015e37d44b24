import EngineCore
import LinuxIO
import MediaBase
import Synchronization

/// The real-time engine: joins channels, publishes the camera and the microphone on any number of them, receives others.
///
/// Calls check their arguments, take effect in the order in which they are made, and return at once: 0, or the negative
/// value of an `EngineErrorCode`. Everything slow happens on the engine's own threads (docs/threading.md); results come to
/// the delegates. All methods may be called from any thread and from delegate methods.
public final class RTCEngine: Sendable {
  let runtime: EngineRuntime

  /// Makes an engine; devices and network are not touched before they are needed.
  ///
  /// `delegate` is held weakly, like every delegate.
  public init(configuration: RTCEngineConfiguration, delegate: (any RTCEngineDelegate)? = nil) {
    runtime = EngineRuntime(configuration: configuration)
    runtime.dispatcher.setEngine(self)
    if let delegate { runtime.dispatcher.add(delegate) }
    runtime.start()
  }

  deinit { runtime.shutDown(waits: false) }

  /// Leaves everything, frees every thread, socket and device. Later calls return `-7` and no delegate method is called
  /// any more, except for one that is already running. Waits until that is done, except when called from a delegate method
  /// or an observer, where it returns at once and the rest happens by itself.
  public func destroy() { runtime.shutDown(waits: true) }

  /// One more delegate for everything that is not reported to a connection's own delegates.
  public func addDelegate(_ delegate: any RTCEngineDelegate) { runtime.dispatcher.add(delegate) }

  /// Takes a delegate away.
  public func removeDelegate(_ delegate: any RTCEngineDelegate) { runtime.dispatcher.remove(delegate) }
}
