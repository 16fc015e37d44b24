/// The SSRCs of one user's tracks, as they are on one peer's connection.
public struct ForwardedSSRCs: Hashable, Sendable {
  /// Opus.
  public var audio: UInt32
  /// VP8.
  public var video: UInt32
  /// Retransmissions of `video` (RFC 4588).
  public var videoRTX: UInt32

  /// Makes a set of SSRCs.
  public init(audio: UInt32, video: UInt32, videoRTX: UInt32) {
    self.audio = audio
    self.video = video
    self.videoRTX = videoRTX
  }
}
