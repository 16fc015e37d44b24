/// What a token allows in a channel, and until when, in seconds since 1970.
public struct ChannelRights: Hashable, Sendable {
  /// To be there.
  public var join: UInt64
  /// To publish sound; nil if it is not allowed.
  public var publishAudio: UInt64?
  /// To publish video; nil if it is not allowed.
  public var publishVideo: UInt64?
  /// To send messages on data streams; nil if it is not allowed.
  public var publishData: UInt64?

  /// Makes a set of rights.
  public init(join: UInt64, publishAudio: UInt64?, publishVideo: UInt64?, publishData: UInt64?) {
    self.join = join
    self.publishAudio = publishAudio
    self.publishVideo = publishVideo
    self.publishData = publishData
  }
}
