import MediaBase

/// What a datagram on a multiplexed port is, by its first bytes (RFC 7983 section 7, RFC 5761 section 4).
public enum DatagramKind: Sendable {
  /// STUN, first byte 0 to 3.
  case stun
  /// DTLS, first byte 20 to 63.
  case dtls
  /// RTP or SRTP.
  case rtp
  /// RTCP or SRTCP: second byte 192 to 223.
  case rtcp
  /// None of these.
  case unknown

  /// Looks at the first two bytes only; says nothing about whether the rest is well formed.
  public static func classify(_ datagram: RawSpan) -> DatagramKind {
    guard datagram.byteCount >= 2 else { return .unknown }
    switch datagram.uint8(at: 0) {
    case 0...3: return .stun
    case 20...63: return .dtls
    case 128...191: return (192...223).contains(datagram.uint8(at: 1)) ? .rtcp : .rtp
    default: return .unknown
    }
  }
}
