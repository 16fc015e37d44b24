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
  /// How much the network carries from the server, in kilobits per second with all headers, as the server says; `nil` if
  /// unknown.
  public var downlinkKilobitsPerSecond: Int?
  /// How long packets from the server wait on the way beyond the least time, in milliseconds, as the server says; `nil` if
  /// unknown.
  public var downlinkQueueMilliseconds: Double?
  /// Packets of media that the server has sent.
  public var downlinkExpectedPackets = 0
  /// How many of them have not come at first go: losses on the way from the server alone.
  public var downlinkLostPackets = 0
  /// Pictures sent.
  public var sentVideoFrames = 0
  /// Audio packets sent.
  public var sentAudioFrames = 0
  /// Bytes of those pictures.
  public var sentVideoBytes = 0
  /// Bytes of that sound.
  public var sentAudioBytes = 0
  /// Percent of packets that the server has missed lately; 0 if it has not said.
  public var sentPacketLossPercent = 0
  /// Key frames that receivers have asked for.
  public var keyFrameRequests = 0
  /// The engine's capture and encoding, shared by all its connections.
  public var local = LocalMediaStatistics()
  /// What is received, one entry for each remote user seen now.
  public var remote: [RemoteMediaStatistics] = []

  /// Bytes of pictures received, of the users seen now.
  public var receivedVideoBytes: Int { remote.reduce(0) { $0 + $1.receivedVideoBytes } }
  /// Bytes of sound received, of the users seen now.
  public var receivedAudioBytes: Int { remote.reduce(0) { $0 + $1.receivedAudioBytes } }
  /// Packets of media received at first go, of the users seen now.
  var receivedMediaPackets: Int {
    remote.reduce(0) { $0 + $1.videoPacketsReceived - $1.videoPacketsRecovered + $1.receivedAudioPackets }
  }
  /// Packets of media that did not come at first go, of the users seen now.
  var missedMediaPackets: Int {
    remote.reduce(0) { $0 + $1.videoPacketsLost + $1.videoPacketsRecovered + $1.audioPacketsLost }
  }

  /// Nothing yet.
  public init() {}
}
