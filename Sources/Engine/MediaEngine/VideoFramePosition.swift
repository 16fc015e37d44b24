/// Where on their way through the engine pictures are shown to an `RTCVideoFrameDelegate`.
public struct VideoFramePosition: OptionSet, Hashable, Sendable {
  /// The positions as bits.
  public let rawValue: Int

  /// Makes a set of positions from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Captured, before the beauty effect, the preview and the encoder.
  public static let postCapture = VideoFramePosition(rawValue: 1 << 0)
  /// Decoded, before the canvas.
  public static let preRender = VideoFramePosition(rawValue: 1 << 1)
  /// About to be encoded: changes here are seen by others and not in the preview.
  public static let preEncode = VideoFramePosition(rawValue: 1 << 2)
}
