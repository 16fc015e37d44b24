import MediaBase

/// Totals of one connection since it was made.
public struct ConnectionStatistics: Sendable {
  /// Time in the channel.
  public var duration = MediaDuration.zero
  /// Datagrams sent.
  public var sentPackets = 0
  /// Bytes sent (UDP payload).
  public var sentBytes = 0
  /// Datagrams received.
  public var receivedPackets = 0
  /// Bytes received (UDP payload).
  public var receivedBytes = 0
  /// Time from the connection's making to being in the channel; `nil` before.
  public var timeToJoin: MediaDuration?
  /// Time from the connection's making to the first open media path; `nil` before.
  public var timeToMedia: MediaDuration?
  /// Smoothed round-trip time to the server; `nil` if unknown.
  public var roundTripTime: MediaDuration?
  /// Pictures sent.
  public var sentVideoFrames = 0
  /// Audio packets sent.
  public var sentAudioFrames = 0
  /// Remote users seen now.
  public var userCount = 0
  /// Key frames that receivers have asked for.
  public var keyFrameRequests = 0
  /// One entry for each remote user seen now.
  public var remoteStreams: [RemoteStreamStatistics] = []

  /// Nothing yet.
  public init() {}
}
