public import ForwardingCore

/// What a shard carries now, and has carried since the start.
public struct ShardStatistics: Hashable, Sendable {
  /// Channels with at least one user.
  public var channelCount: Int
  /// Joined users.
  public var userCount: Int
  /// Users dropped since their media never connected or fell silent.
  public var lostUserCount: Int
  /// Packets.
  public var forwarding: ForwardingStatistics
  /// Datagrams that the system did not take, since its buffers were full; whoever owns the socket counts them.
  public var unsentDatagrams = 0
  /// Datagrams that the system dropped before they were read, since its buffer was full or as part of a flood; whoever owns
  /// the socket counts them.
  public var refusedDatagrams: UInt64 = 0

  /// Datagrams that came in.
  public var receivedPackets: UInt64 { forwarding.receivedDatagrams }
  /// Media packets sent, with retransmissions.
  public var sentPackets: UInt64 { forwarding.forwardedPackets &+ forwarding.retransmittedPackets }
  /// Datagrams dropped on the way in.
  public var droppedPackets: UInt64 { forwarding.droppedIncoming }
}
