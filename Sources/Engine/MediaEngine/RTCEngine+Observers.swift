import EngineCore
import MediaBase

extension RTCEngine {
  /// Sees every decoded picture of every connection, on the decode thread, before it goes to its canvas; `nil` ends it.
  @discardableResult
  public func setRemoteVideoFrameObserver(_ observer: (@Sendable (RemoteVideoFrame) -> Void)?) -> Int {
    Self.notInitialized
  }

  /// Sees every captured picture, on the camera's thread, before it is encoded; `nil` ends it.
  @discardableResult
  public func setLocalVideoFrameObserver(_ observer: (@Sendable (VideoFrame) -> Void)?) -> Int { Self.notInitialized }

  /// Hears the microphone, each remote user, and what is played, on the threads of the sound; `nil` ends it.
  @discardableResult
  public func setAudioFrameObserver(_ observer: (@Sendable (ObservedAudioFrame) -> Void)?) -> Int {
    Self.notInitialized
  }

  /// A snapshot of a connection's totals (of the default connection if none is named); `nil` if there is none.
  public func statistics(of connection: RTCConnection? = nil) -> RTCStatistics? { nil }

  /// The state of a connection (of the default connection if none is named).
  public func connectionState(of connection: RTCConnection? = nil) -> ConnectionState { .disconnected }
}
