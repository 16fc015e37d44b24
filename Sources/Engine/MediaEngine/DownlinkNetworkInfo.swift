/// What the way from the server to here carries, for one connection, as the server has found out.
public struct DownlinkNetworkInfo: Hashable, Sendable {
  /// Milliseconds that packets wait on the way beyond the least time.
  public var lastmileBufferDelayTimeMs = 0
  /// How much may come in all, in bits per second with all headers; 0 while nothing is known.
  public var bandwidthEstimationBps = 0
  /// How many encodings there are above those that come, of all videos together.
  public var totalDownscaleLevelCount = 0
  /// How many videos come.
  public var totalReceivedVideoCount = 0
  /// One entry for each remote user whose video comes, or is left out for the network's sake.
  public var peerDownlinkInfo: [PeerDownlinkInfo] = []

  /// Nothing yet.
  public init() {}
}
