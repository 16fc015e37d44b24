import ChannelServer
import LinuxIO
public import MediaBase
public import MediaEngine
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
