import ChannelServer
import LinuxIO
public import MediaBase
public import MediaEngine
import Synchronization
import SyntheticMedia

/// A channel server in this process, and engines that use it over loopback.
public final class BenchmarkStage {
  /// The server.
  public let server: ChannelServer
  /// Its address.
  public let url: String

  /// Starts a server on free ports.
  public init() throws {
    server = ChannelServer(
      configuration: ChannelServerConfiguration(
        httpHost: "127.0.0.1", httpPort: 0, udpHost: "127.0.0.1", udpPort: 0, workers: 1, development: true))
    try server.start()
    url = "ws://127.0.0.1:\(server.boundHTTPPort)"
  }

  deinit { server.stop() }

  /// The format of all benchmarks.
  public static let encoder = VideoEncoderConfiguration(width: 640, height: 360, frameRate: 30, bitrate: 800)

  /// An engine; with devices it has a moving picture and a tone.
  public func engine(
    video: (any VideoSource)? = nil, hasAudio: Bool = false, delegate: (any RTCEngineDelegate)? = nil
  ) -> RTCEngine {
    RTCEngine(
      configuration: RTCEngineConfiguration(
        server: url, videoSource: video, audioSource: hasAudio ? ToneSource() : nil,
        videoEncoderConfiguration: Self.encoder), delegate: delegate)
  }

  /// Publishes everything.
  public static let broadcaster = ChannelMediaOptions(
    publishCameraTrack: true, publishMicrophoneTrack: true, clientRoleType: .broadcaster)
}

/// The times of decoded pictures, to be waited for.
public final class PictureWatch: Sendable {
  private let last = Mutex<MediaInstant?>(nil)

  /// Watches an engine's remote pictures.
  public init(_ engine: RTCEngine) {
    engine.setRemoteVideoFrameObserver { [weak self] _ in
      let now = MonotonicClock.now()
      self?.last.withLock { $0 = now }
    }
  }

  /// Forgets earlier pictures.
  public func clear() { last.withLock { $0 = nil } }

  /// Whether there was a picture since the last `clear()`, and when the newest came.
  public var time: MediaInstant? { last.withLock { $0 } }

  /// Waits for the first picture since `clear()`, looking every 200 µs; milliseconds since `begin`.
  public func wait(since begin: MediaInstant, seconds: Double = 5) -> Double? {
    let limit = MonotonicClock.now() + .seconds(seconds)
    while MonotonicClock.now() < limit {
      if let time { return Double((time - begin).nanoseconds) / 1e6 }
      MonotonicClock.sleep(for: .microseconds(200))
    }
    return nil
  }
}
