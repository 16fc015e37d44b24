/// What became of a datagram.
public enum ReceivedDatagram: Hashable, Sendable {
  /// It was for the transport itself.
  case consumed
  /// An RTP packet, decrypted in place: this many bytes of the buffer.
  case rtp(Int)
  /// An RTCP compound, decrypted in place: this many bytes of the buffer.
  case rtcp(Int)
  /// It was of no use; nothing has changed.
  case dropped(PeerTransportDropReason)
}

/// Why a datagram was of no use.
public enum PeerTransportDropReason: Hashable, Sendable {
  /// Neither STUN nor SRTP nor SRTCP.
  case unknownKind
  /// STUN that is malformed, not authenticated, or that nobody waits for.
  case stun
  /// SRTP or SRTCP that did not authenticate, or was a replay; also everything if the cryptography could not be set up.
  case srtp
}
