public import SecureChannel

/// Where a peer's SRTP keys come from.
public enum ForwardingSecurity: Sendable {
  /// Agreed over the control connection: what the peer encrypts with, and what the server does.
  case keys(incoming: SRTPKeyMaterial, outgoing: SRTPKeyMaterial)
  /// A DTLS handshake that the peer opens, with a certificate that has this SHA-256 fingerprint.
  case dtls(remoteFingerprint: [UInt8])
}
