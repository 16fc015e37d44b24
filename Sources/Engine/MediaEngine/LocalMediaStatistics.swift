/// Totals of an engine's capture and encoding. Pictures count as captured that have come from the camera, or from the
/// application where a connection publishes one of its tracks.
public struct LocalMediaStatistics: Sendable {
  /// Pictures captured.
  public var capturedFrames = 0
  /// Width of the newest captured picture.
  public var captureWidth = 0
  /// Height of the newest captured picture.
  public var captureHeight = 0
  /// Channels of the sound that is encoded.
  public var audioChannelCount = 1
  /// Pictures that were replaced by a newer one before they could be encoded.
  public var droppedFrames = 0
  /// Pictures encoded.
  public var encodedFrames = 0
  /// How many of them were key frames.
  public var encodedKeyFrames = 0
  /// Bytes of those pictures.
  public var encodedBytes = 0
  /// Seconds spent encoding them.
  public var encodeSeconds: Double = 0
  /// Pictures given to the local canvases.
  public var shownFrames = 0
  /// How bright what is captured is.
  public var captureBrightness = CaptureBrightnessLevel.invalid
  /// Milliseconds from the capture of sound to its being taken by the engine; `nil` if nothing is recorded.
  public var audioDeviceMilliseconds: Double?
  /// Milliseconds from the engine's giving sound out to its being heard.
  public var audioPlayoutMilliseconds: Double = 0
  /// What the connection's encoder makes.
  var encoding = EncodingTotals()
  /// Which encoder that is; `nil` if that does not matter.
  var encodingName: VideoSendPipeline.Encoding?
  /// Whether the connection sends a smaller stream beside the camera's.
  var sendsLowVideo = false
  /// Opus packets encoded.
  public var encodedAudioFrames = 0

  /// Nothing yet.
  public init() {}
}
