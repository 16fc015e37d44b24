import MediaBase

/// Where one packet of an RTCP compound lies (RFC 3550 section 6.1). Allocates nothing; walk a compound by asking for the
/// packet at 0, then at each `range.upperBound`, until the end.
public struct RTCPPacketLayout: Hashable, Sendable {
  /// The packet types that are known here.
  public enum PacketType {
    /// SR.
    public static let senderReport: UInt8 = 200
    /// RR.
    public static let receiverReport: UInt8 = 201
    /// SDES.
    public static let sourceDescription: UInt8 = 202
    /// BYE.
    public static let goodbye: UInt8 = 203
    /// APP.
    public static let applicationDefined: UInt8 = 204
    /// RTPFB (RFC 4585): NACK has format 1, transport-wide feedback 15.
    public static let transportFeedback: UInt8 = 205
    /// PSFB (RFC 4585): PLI has format 1, FIR 4.
    public static let payloadFeedback: UInt8 = 206
  }

  /// The five bits after version and padding: a count of reports or sources, or the feedback's format.
  public let count: UInt8
  /// See `PacketType`.
  public let packetType: UInt8
  /// The whole packet.
  public let range: Range<Int>
  /// What follows the 4-byte header, without padding.
  public let bodyRange: Range<Int>

  /// Finds the packet that starts at `offset`.
  public init(parsing bytes: RawSpan, at offset: Int) throws(RTPParseError) {
    guard offset >= 0, offset <= bytes.byteCount, bytes.byteCount - offset >= 4 else { throw .truncated }
    let first = bytes.uint8(at: offset)
    guard first &>> 6 == 2 else { throw .unsupportedVersion }
    let end = offset + 4 + 4 * Int(bytes.uint16(at: offset + 2))
    guard end <= bytes.byteCount else { throw .truncated }
    var padding = 0
    if first & 0x20 != 0 {
      // RFC 3550 wants a multiple of four; browsers fill transport-wide feedback up with 1 to 3 bytes.
      padding = Int(bytes.uint8(at: end - 1))
      guard padding > 0, offset + 4 + padding <= end else { throw .invalidPadding }
    }
    count = first & 0x1F
    packetType = bytes.uint8(at: offset + 1)
    range = offset..<end
    bodyRange = offset + 4..<end - padding
  }
}
