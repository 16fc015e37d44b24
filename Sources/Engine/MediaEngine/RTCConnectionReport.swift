/// One connection as a whole: totals since it was joined, and rates over the last two seconds.
public struct RTCConnectionReport: Hashable, Sendable {
  /// Seconds in the channel; never falls.
  public var duration = 0
  /// Bytes sent (UDP payload).
  public var txBytes = 0
  /// Bytes received (UDP payload).
  public var rxBytes = 0
  /// Bytes of sound sent, without headers and retransmissions.
  public var txAudioBytes = 0
  /// Bytes of pictures sent, without headers and retransmissions.
  public var txVideoBytes = 0
  /// Bytes of sound received, without headers.
  public var rxAudioBytes = 0
  /// Bytes of pictures received, without headers.
  public var rxVideoBytes = 0
  /// Kilobits per second sent.
  public var txKBitRate = 0
  /// Kilobits per second received.
  public var rxKBitRate = 0
  /// Kilobits per second of sound sent.
  public var txAudioKBitRate = 0
  /// Kilobits per second of pictures sent.
  public var txVideoKBitRate = 0
  /// Kilobits per second of sound received.
  public var rxAudioKBitRate = 0
  /// Kilobits per second of pictures received.
  public var rxVideoKBitRate = 0
  /// Milliseconds to the server and back; 0 if unknown.
  public var lastmileDelay = 0
  /// The same as `lastmileDelay`: the server is the gateway.
  public var gatewayRtt = 0
  /// Percent of packets that the server has missed, before recovery; 0 if it has not said.
  public var txPacketLossRate = 0
  /// Percent of packets that have been missed here, before recovery.
  public var rxPacketLossRate = 0
  /// Kilobits per second that may be sent in all, with all headers; 0 while nothing is known.
  public var uplinkKBitRate = 0
  /// Kilobits per second that the camera's encoder aims at; 0 while no pictures are sent.
  public var videoTargetKBitRate = 0
  /// Kilobits per second that may come in all, with all headers, as the server says; 0 while nothing is known.
  public var downlinkKBitRate = 0
  /// Milliseconds that packets from the server wait on the way beyond the least time; 0 while nothing is known.
  public var downlinkQueueDelay = 0
  /// Users in the channel that this side sees, this side included.
  public var userCount = 0
  /// Milliseconds from the join call to being in the channel; 0 if unknown.
  public var connectTimeMs = 0
  /// Percent of all processors' time that this process uses.
  public var cpuAppUsage: Double = 0
  /// Kilobytes of memory that this process uses.
  public var memoryAppUsageInKbytes = 0

  /// Nothing yet.
  public init() {}
}
