/// How much of a user's video is wanted at most, if the user sends several encodings of it. What is not there does not
/// limit.
public struct VideoLayerLimit: Hashable, Codable, Sendable {
  /// The best encoding: 0 has the smallest picture, further ones follow by size.
  public var spatial: Int?
  /// The highest temporal id: 0 has the lowest frame rate.
  public var temporal: Int?

  /// Makes a limit.
  public init(spatial: Int? = nil, temporal: Int? = nil) {
    self.spatial = spatial
    self.temporal = temporal
  }
}

/// The SSRCs of one of several encodings that a user sends of its video.
public struct VideoLayerSSRCs: Hashable, Codable, Sendable {
  /// VP8.
  public var video: UInt32
  /// Retransmissions of `video` (RFC 4588).
  public var videoRTX: UInt32

  /// Makes a pair.
  public init(video: UInt32, videoRTX: UInt32) {
    self.video = video
    self.videoRTX = videoRTX
  }
}
