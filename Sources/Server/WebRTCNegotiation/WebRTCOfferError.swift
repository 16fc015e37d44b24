public import SDPWire

/// Why an offer cannot be answered.
public enum WebRTCOfferError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is no session description.
  case malformed(SDPParseError)
  /// No section of audio or video is sent by who wants to publish, or received by who wants to play.
  case noMedia(WebRTCOffer.Purpose)
  /// The sections that would do are not RTP over DTLS.
  case unsupportedTransport(String)
  /// Neither Opus nor VP8 is offered.
  case noKnownCodec
  /// RTCP would need a port of its own.
  case noRTCPMultiplexing
  /// A user name fragment or a password is missing.
  case noICECredentials
  /// They are too short, too long, or have characters that they must not have.
  case invalidICECredentials
  /// There is no SHA-256 fingerprint of a certificate.
  case noFingerprint
  /// The client does not want to open DTLS, and this server does not either.
  case unsupportedSetupRole(String)

  /// Whether the text itself is broken; the other errors are about what it asks for.
  public var isMalformed: Bool {
    switch self {
    case .malformed, .invalidICECredentials: true
    default: false
    }
  }

  /// The value as sentences for people: what is wrong and what to do.
  public var description: String {
    switch self {
    case .malformed(let error): "\(error) Send an SDP offer as application/sdp."
    case .noMedia(.publish):
      "The offer has no audio or video that the client sends; add a transceiver with direction sendonly."
    case .noMedia(.play):
      "The offer has no audio or video that the client receives; add a transceiver with direction recvonly."
    case .unsupportedTransport(let transport):
      "The offer's media use \(transport.prefix(40)); offer UDP/TLS/RTP/SAVPF."
    case .noKnownCodec:
      "The offer has neither Opus (opus/48000/2) nor VP8 (VP8/90000); enable at least one of them in the client."
    case .noRTCPMultiplexing: "The offer has no a=rtcp-mux, and this server uses one port only; offer rtcp-mux."
    case .noICECredentials: "The offer has no a=ice-ufrag and a=ice-pwd; offer ICE credentials."
    case .invalidICECredentials:
      "The offer's a=ice-ufrag or a=ice-pwd is out of range; send 4 to 256 and 22 to 256 letters, digits, + or /."
    case .noFingerprint: "The offer has no a=fingerprint with sha-256 and 32 bytes; offer a certificate's SHA-256."
    case .unsupportedSetupRole(let role):
      "The offer says a=setup:\(role.prefix(40)), and this server does not open DTLS; offer actpass or active "
        + "(ffmpeg: -whip_flags dtls_active)."
    }
  }
}
