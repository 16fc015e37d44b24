public import MediaBase

/// What an `RTPSession` has to know from the start.
public struct RTPSessionConfiguration: Hashable, Sendable {
  /// The canonical name that ties this side's streams together (RFC 7022); at most 255 bytes are sent.
  public var cname: String
  /// The SSRC of reports and feedback when nothing is being sent.
  public var rtcpSSRC: UInt32
  /// Payload types and extension ids.
  public var parameters: RTPSessionParameters
  /// The longest RTP packet and RTCP compound in bytes, before protection; 200 to 65,000.
  public var maximumPacketSize: Int
  /// From the clock of `now` to the time since 1900 (NTP), so that others can compare; zero where nobody does.
  public var wallClockOffset = MediaDuration.zero

  /// Makes a configuration.
  public init(
    cname: String, rtcpSSRC: UInt32, parameters: RTPSessionParameters = RTPSessionParameters(),
    maximumPacketSize: Int = 1_200
  ) {
    self.cname = cname
    self.rtcpSSRC = rtcpSSRC
    self.parameters = parameters
    self.maximumPacketSize = min(max(maximumPacketSize, 200), 65_000)
  }
}
