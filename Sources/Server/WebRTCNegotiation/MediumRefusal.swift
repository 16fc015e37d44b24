import SDPWire

/// Why a section is answered with port 0.
enum MediumRefusal: Error, Hashable, Sendable {
  /// The client rejects it itself, it is neither audio nor video, or nothing flows the way of the purpose.
  case notWanted
  case transport(String)
  case codec
  case noRTCPMultiplexing
  /// It does not share the accepted section's transport.
  case otherTransport
  /// One of its kind is accepted already.
  case oneTooMany
  /// Its payload type means something else in another section.
  case payloadTypeInUse

  /// How near a section was to being accepted.
  private var rank: Int {
    switch self {
    case .notWanted: 0
    case .transport: 1
    case .codec: 2
    case .noRTCPMultiplexing: 3
    case .otherTransport, .oneTooMany, .payloadTypeInUse: 4
    }
  }

  /// What to say if nothing of an offer is left: what was wrong with the section that was nearest.
  static func error(_ refusals: some Collection<MediumRefusal>, purpose: WebRTCOffer.Purpose) -> WebRTCOfferError {
    switch refusals.max(by: { $0.rank < $1.rank }) {
    case .transport(let text): .unsupportedTransport(text)
    case .codec: .noKnownCodec
    case .noRTCPMultiplexing: .noRTCPMultiplexing
    default: .noMedia(purpose)
    }
  }

  /// The reason and what to do, for people; `nil` if nobody will miss the section.
  func sentence(about medium: MediaDescription) -> String? {
    let name = "The offer's \(medium.kind) with mid \((medium.identification ?? "-").prefix(40))"
    return switch self {
    case .notWanted: nil
    case .transport(let text): "\(name) uses \(text.prefix(40)); offer UDP/TLS/RTP/SAVPF."
    case .codec where medium.kind == "audio": "\(name) has no Opus (opus/48000/2); enable Opus in the client."
    case .codec: "\(name) has no VP8 (VP8/90000); enable VP8 in the client."
    case .noRTCPMultiplexing: "\(name) has no a=rtcp-mux; offer rtcp-mux."
    case .otherTransport: "\(name) has a transport of its own; put all media into one BUNDLE group."
    case .oneTooMany: "\(name) is one too many; offer one audio and one video."
    case .payloadTypeInUse: "\(name) has the payload type of another codec in the BUNDLE group; choose another."
    }
  }
}
