/// What a shard holds at the moment: all zero while nobody is there.
public struct ShardHoldings: Hashable, Sendable {
  /// Channels with at least one user.
  public var channelCount = 0
  /// Joined users.
  public var userCount = 0
  /// Media connections.
  public var peerCount = 0
  /// Ways of publishers to subscribers.
  public var routeCount = 0
  /// Streams on both ends of these ways.
  public var streamCount = 0

  /// Holdings of nothing.
  public init() {}

  init(channelCount: Int, userCount: Int, peerCount: Int, routeCount: Int, streamCount: Int) {
    self.channelCount = channelCount
    self.userCount = userCount
    self.peerCount = peerCount
    self.routeCount = routeCount
    self.streamCount = streamCount
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { self == ShardHoldings() }
}
