import EngineCore

/// Totals of one connection since it was joined. Rates follow from the difference of two snapshots over their `duration`.
public struct RTCStatistics: Sendable {
  /// Seconds in the channel.
  public var duration: Double = 0
  /// Datagrams sent.
  public var sentPackets = 0
  /// Bytes sent (UDP payload).
  public var sentBytes = 0
  /// Datagrams received.
  public var receivedPackets = 0
  /// Bytes received (UDP payload).
  public var receivedBytes = 0
  /// Round-trip time to the server in milliseconds; `nil` if unknown.
  public var roundTripMilliseconds: Double?
  /// Milliseconds from the join call to being in the channel; `nil` before.
  public var joinMilliseconds: Double?
  /// Milliseconds from the join call to the open media path; `nil` before.
  public var mediaMilliseconds: Double?
  /// Remote users seen now.
  public var userCount = 0
  /// How much the network carries towards the server, in kilobits per second with all headers; `nil` if unknown.
  public var uplinkKilobitsPerSecond: Int?
  /// How much of that pictures may take, in kilobits per second; `nil` while none are sent.
  public var videoKilobitsPerSecond: Int?
  /// The share of sent packets that was lost lately, before they were sent again, 0 to 1.
  public var uplinkLossRate = 0.0
  /// How long sent packets wait on the way beyond the least time, in milliseconds; `nil` if unknown.
  public var uplinkQueueMilliseconds: Double?
  /// Pictures sent.
  public var sentVideoFrames = 0
  /// Audio packets sent.
  public var sentAudioFrames = 0
  /// Key frames that receivers have asked for.
  public var keyFrameRequests = 0
  /// The engine's capture and encoding, shared by all its connections.
  public var local = LocalMediaStatistics()
  /// What is received, one entry for each remote user seen now.
  public var remote: [RemoteMediaStatistics] = []

  /// Nothing yet.
  public init() {}
}
