/// What comes of one remote user's video.
public struct PeerDownlinkInfo: Hashable, Sendable {
  /// Who.
  public var uid: UInt
  /// Which of the user's video streams the server forwards.
  public var streamType = VideoStreamType.high
  /// How many of the user's encodings are above that one.
  public var currentDownscaleLevel = 0
  /// Whether it is left out, since the network does not carry it: only sound comes.
  public var isAudioOnly = false
  /// What comes of it, in bits per second.
  public var receivedBitrateBps = 0

  /// Nothing yet.
  public init(uid: UInt) { self.uid = uid }
}
