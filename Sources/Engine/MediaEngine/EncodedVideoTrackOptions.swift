/// What a track of pictures that are encoded already is to carry.
public struct EncodedVideoTrackOptions: Hashable, Sendable {
  /// How its pictures are encoded; default VP8, and no other is possible.
  public var codecType: VideoCodecType
  /// What the application's encoder aims at, in kilobits per second, 10 to 100,000; default 6,500. So much is asked of the
  /// network.
  public var targetBitrate: Int

  /// Makes options.
  public init(codecType: VideoCodecType = .vp8, targetBitrate: Int = 6_500) {
    self.codecType = codecType
    self.targetBitrate = targetBitrate
  }
}
