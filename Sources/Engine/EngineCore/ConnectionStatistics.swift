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
  /// How much may be sent on the path, in bits per second with all headers; `nil` while nothing is known of it.
  public var sendBitrate: Int?
  /// How much of that pictures may take, in bits per second; `nil` while none are sent.
  public var videoBitrate: Int?
  /// The share of sent packets that was lost lately, before they were sent again, 0 to 1.
  public var sendLossRate = 0.0
  /// How long sent packets wait on the way beyond the least time; `nil` if unknown.
  public var sendQueueDelay: MediaDuration?
  /// How much the path from the server carries, as the server says, in bits per second; `nil` while it has not.
  public var receiveBitrate: Int?
  /// How long packets from the server wait on the way beyond the least time, as the server says; `nil` while it has not.
  public var receiveQueueDelay: MediaDuration?
  /// Packets of media that the server has sent, and those of them that have not come at first go: losses on the way from the
  /// server alone.
  public var receivePathExpected = 0
  /// See `receivePathExpected`.
  public var receivePathLost = 0
  /// Pictures sent.
  public var sentVideoFrames = 0
  /// Audio packets sent.
  public var sentAudioFrames = 0
  /// Bytes of those pictures.
  public var sentVideoBytes = 0
  /// Bytes of that sound.
  public var sentAudioBytes = 0
  /// The share of packets that the server has missed lately, 0 to 1; `nil` if it has not said.
  public var sentFractionLost: Double?
  /// Remote users seen now.
  public var userCount = 0
  /// Key frames that receivers have asked for.
  public var keyFrameRequests = 0
  /// One entry for each remote user seen now.
  public var remoteStreams: [RemoteStreamStatistics] = []

  /// Nothing yet.
  public init() {}
}
