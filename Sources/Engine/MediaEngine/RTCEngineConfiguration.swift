import ControlWire
import Dispatch
import EngineCore
import MediaBase

/// How an engine is made. Numbers out of range are replaced by the nearest that are in it when the engine is made.
public struct RTCEngineConfiguration: Sendable {
  /// The channel server, as `ws://HOST:PORT` or `wss://HOST:PORT`.
  public var server: String
  /// A file of certificates in PEM that a `wss` server's has to be signed by; nil for those that the system trusts.
  public var trustedCertificates: String?
  /// The application's id, for the application's own use: the engine neither sends nor checks it. Servers find it in the
  /// token.
  public var appID: String
  /// The profile of channels that are joined without naming one.
  public var channelProfile: ChannelProfile
  /// The camera; without one no video can be published.
  public var videoSource: (any VideoSource)?
  /// The microphone; without one no audio can be published.
  public var audioSource: (any AudioSource)?
  /// The speaker; without one remote audio is decoded and mixed by the clock and heard by nobody but observers.
  public var playout: (any AudioPlayout)?
  /// The serial queue on which delegates are called; the engine makes its own if none is given.
  public var delegateQueue: DispatchQueue?
  /// What is encoded until `setVideoEncoderConfiguration(_:)`; ranges as there.
  public var videoEncoderConfiguration: VideoEncoderConfiguration
  /// Opus bit rate in bits per second, 6,000 to 510,000.
  public var audioBitrate: Int
  /// Waiting times of connections, 10 ms to a day each; for tests.
  public var timing: ConnectionTiming
  /// Where `/proc` and `/sys` are, for tests.
  var systemDirectory = ""

  /// Makes a configuration.
  public init(
    server: String, appID: String = "", channelProfile: ChannelProfile = .liveBroadcasting,
    videoSource: (any VideoSource)? = nil, audioSource: (any AudioSource)? = nil, playout: (any AudioPlayout)? = nil,
    delegateQueue: DispatchQueue? = nil,
    videoEncoderConfiguration: VideoEncoderConfiguration = VideoEncoderConfiguration(),
    audioBitrate: Int = 48_000, timing: ConnectionTiming = ConnectionTiming()
  ) {
    self.server = server
    self.appID = appID
    self.channelProfile = channelProfile
    self.videoSource = videoSource
    self.audioSource = audioSource
    self.playout = playout
    self.delegateQueue = delegateQueue
    self.videoEncoderConfiguration = videoEncoderConfiguration
    self.audioBitrate = audioBitrate
    self.timing = timing
  }

  /// The same with every number in its range.
  var inRange: RTCEngineConfiguration {
    var result = self
    result.videoEncoderConfiguration = videoEncoderConfiguration.inRange
    result.audioBitrate = min(max(audioBitrate, 6_000), 510_000)
    result.timing = timing.inRange
    return result
  }
}
