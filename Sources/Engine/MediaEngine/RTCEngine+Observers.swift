import Dispatch
import EngineCore
import MediaBase
import Synchronization

extension RTCEngine {
  /// Sees every decoded picture of every connection, on the decode thread, before it goes to its canvas; `nil` ends it.
  @discardableResult
  public func setRemoteVideoFrameObserver(_ observer: (@Sendable (RemoteVideoFrame) -> Void)?) -> Int {
    exchange { $0.videoReceive.setObserver(observer) }
  }

  /// Gets every complete picture of every connection as it came from the network, on the decode thread, before it is
  /// decoded: for recordings that keep the sender's quality. `nil` ends it. A recording begins with a key frame, for which
  /// it may have to wait some seconds.
  @discardableResult
  public func setRemoteEncodedVideoFrameObserver(_ observer: (@Sendable (RemoteEncodedVideoFrame) -> Void)?) -> Int {
    exchange { $0.videoReceive.setEncodedObserver(observer) }
  }

  /// Sees every captured picture, on the camera's thread, before it is encoded; `nil` ends it.
  @discardableResult
  public func setLocalVideoFrameObserver(_ observer: (@Sendable (VideoFrame) -> Void)?) -> Int {
    exchange { $0.videoSend.setObserver(observer) }
  }

  /// Hears the microphone, each remote user, and what is played, on the threads of the sound; `nil` ends it.
  @discardableResult
  public func setAudioFrameObserver(_ observer: (@Sendable (ObservedAudioFrame) -> Void)?) -> Int {
    exchange { ($0.audioSend.setObserver(observer), $0.audioReceive.setObserver(observer)) }
  }

  /// Puts something of the application's in another's place. The old one is let go of when no lock of the engine's is held
  /// any more: what it keeps alive may call the engine when it goes.
  func exchange<Old>(_ body: (EngineRuntime.Parts) -> Old) -> Int {
    var old: Old?
    let code = runtime.change { _, parts in
      old = body(parts)
      return .ok
    }
    withExtendedLifetime(old) {}
    return code
  }

  /// A snapshot of a connection's totals (of the default connection if none is named); `nil` if there is none. Waits for
  /// the network thread, usually some tens of microseconds.
  public func statistics(of connection: RTCConnection? = nil) -> RTCStatistics? {
    guard let parts = runtime.parts.get(), let handle = handle(of: connection) else { return nil }
    let answer = StatisticsAnswer()
    parts.network.statistics(handle.id) { answer.give($0) }
    return answer.wait()
  }

  /// The state of a connection (of the default connection if none is named).
  public func connectionState(of connection: RTCConnection? = nil) -> ConnectionState {
    handle(of: connection)?.connectionState ?? .disconnected
  }

  /// Whether a channel has been joined (by whichever method) and not been left, connected or not.
  package func isJoined(_ connection: RTCConnection) -> Bool {
    runtime.intent.withLock { $0.index(of: connection) != nil }
  }

  private func handle(of connection: RTCConnection?) -> ConnectionHandle? {
    runtime.intent.withLock { intent in
      guard let index = connection.map({ intent.index(of: $0) }) ?? intent.defaultIndex else { return nil }
      return intent.connections[index].handle
    }
  }
}

/// Brings an answer from the network thread.
private final class StatisticsAnswer: Sendable {
  private let value = Mutex<RTCStatistics?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func give(_ statistics: RTCStatistics?) {
    value.withLock { $0 = statistics }
    semaphore.signal()
  }

  /// Gives up after a second: the engine is being destroyed.
  func wait() -> RTCStatistics? {
    _ = semaphore.wait(timeout: .now() + .seconds(1))
    return value.withLock { $0 }
  }
}
