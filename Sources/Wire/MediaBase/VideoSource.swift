/// The size and rate that a video source is asked for. It comes as near as it can; frames say what they are.
public struct VideoCaptureFormat: Hashable, Sendable {
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int
  /// Frames per second.
  public var frameRate: Int

  /// Makes a format.
  public init(width: Int, height: Int, frameRate: Int) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
  }
}

/// Something that produces pictures in real time: a camera, a file played as one, a test pattern.
public protocol VideoSource: AnyObject, Sendable {
  /// A name for people and logs.
  var name: String { get }

  /// Starts delivering frames to `sink` on a thread of the source's own, until `stop()`. `sink` must return quickly.
  /// `onFailure` is called at most once, when the source fails after it had started.
  func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError)

  /// Stops and frees everything. When it returns, `sink` is not running and will not be called again. Idempotent; must not
  /// be called from `sink`.
  func stop()
}
