/// Totals of what is received of one remote user on one connection.
public struct RemoteMediaStatistics: Sendable {
  /// Who.
  public var uid: UInt
  /// Complete pictures received.
  public var receivedVideoFrames = 0
  /// How many of them were key frames.
  public var receivedKeyFrames = 0
  /// Bytes of those pictures.
  public var receivedVideoBytes = 0
  /// Pictures decoded.
  public var decodedVideoFrames = 0
  /// Pictures thrown away because decoding fell behind.
  public var droppedVideoFrames = 0
  /// Seconds spent decoding.
  public var decodeSeconds: Double = 0
  /// Width of the newest picture.
  public var width = 0
  /// Height of the newest picture.
  public var height = 0
  /// Video packets that never came.
  public var videoPacketsLost = 0
  /// Video packets that came, retransmissions included.
  public var videoPacketsReceived = 0
  /// Video packets that came by retransmission only.
  public var videoPacketsRecovered = 0
  /// Milliseconds from capture to the whole picture's arrival here, by the wall clocks of both machines, which have to be
  /// right (NTP) where these are two; `nil` if unknown.
  public var endToEndMilliseconds: Double?
  /// Audio packets received.
  public var receivedAudioPackets = 0
  /// Bytes of those packets.
  public var receivedAudioBytes = 0
  /// Audio packets that never came.
  public var audioPacketsLost = 0
  /// 10 ms pieces of sound played.
  public var playedAudioFrames = 0
  /// 10 ms pieces of sound made up because their packet was missing.
  public var concealedAudioFrames = 0
  /// Milliseconds that sound is held back for the network's unevenness.
  public var audioDelayMilliseconds = 0
  /// Milliseconds from a picture's arrival to its being shown; `nil` before the first.
  public var videoHoldMilliseconds: Double?
  /// Milliseconds from the capture of the last sample in a packet of sound to its arrival here, by the wall clocks of both
  /// machines; `nil` if unknown.
  public var audioNetworkMilliseconds: Double?
  /// The same from the first sample.
  public var audioEndToEndMilliseconds: Double?
  /// Milliseconds from the arrival of sound to its being heard; `nil` before the first.
  public var audioHoldMilliseconds: Double?
  /// Milliseconds by which pictures take longer than sound from capture to arrival, by the sender's clock alone, which need
  /// not be right; `nil` if unknown.
  public var videoLagMilliseconds: Double?
  /// Which of the user's video streams the server forwards; `high` until it has said.
  public var streamType = VideoStreamType.high
  /// How many of the user's larger encodings are not what comes.
  public var downscaleLevelCount = 0
  /// Whether the server leaves the video out, since the network does not carry it.
  public var isVideoPaused = false
  /// Seconds for which the user has published video, as far as this side has seen.
  public var videoPublishSeconds: Double = 0
  /// Seconds for which the user has published sound, as far as this side has seen.
  public var audioPublishSeconds: Double = 0
  /// How often the picture froze (no frame for 500 ms).
  public var freezeCount = 0
  /// Seconds frozen in all.
  public var frozenSeconds: Double = 0

  /// Nothing yet.
  public init(uid: UInt) { self.uid = uid }
}
