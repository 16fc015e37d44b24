/// One encoding of a user's video: how large it is, and what it costs at present.
public struct VideoLayerCost: Hashable, Sendable {
  /// Pixels of the last key frame; 0 before one has come.
  public var width: Int
  /// Pixels of the last key frame; 0 before one has come.
  public var height: Int
  /// Whether packets come. A publisher short of bandwidth stops some of its encodings.
  public var isLive: Bool
  /// The highest temporal id that has come; 0 without temporal layers.
  public var highestTemporalID: UInt8
  /// Bits per second with a temporal limit of 0, 1, 2 and 3: each counts the ones below it too. Whole RTP packets over the
  /// last second, without IP, UDP and retransmissions.
  public var bitrates: SIMD4<UInt32>

  /// Bits per second with this temporal limit.
  public func bitrate(temporalLimit: UInt8) -> UInt32 { bitrates[Int(min(temporalLimit, 3))] }
}
