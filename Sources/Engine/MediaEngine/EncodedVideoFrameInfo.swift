import MediaBase

/// What the bytes of an encoded picture do not say themselves.
public struct EncodedVideoFrameInfo: Hashable, Sendable {
  /// How the picture is encoded; default VP8, and no other is possible.
  public var codecType: VideoCodecType
  /// When it was captured, on the monotonic clock, at most 10 s away; default `.zero`, which means now.
  public var captureTime: MediaInstant

  /// Makes a description.
  public init(codecType: VideoCodecType = .vp8, captureTime: MediaInstant = .zero) {
    self.codecType = codecType
    self.captureTime = captureTime
  }
}
