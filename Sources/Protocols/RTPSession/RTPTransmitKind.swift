/// What `RTPSession.pollTransmit(into:)` has written, which decides how it is protected (RFC 3711).
public enum RTPTransmitKind: Hashable, Sendable {
  /// An RTP packet.
  case rtp
  /// One RTCP packet or a compound.
  case rtcp
}
