import SDPWire

/// Why a section is answered with port 0, in the order of how near it was to being accepted.
enum MediumRefusal: Error, Hashable, Sendable {
  /// The client rejects it itself, it is neither audio nor video, or nothing flows the way of the purpose.
  case notWanted
  case transport(String)
  case codec
  case noRTCPMultiplexing

  private var rank: Int {
    switch self {
    case .notWanted: 0
    case .transport: 1
    case .codec: 2
    case .noRTCPMultiplexing: 3
    }
  }

  /// What to say if nothing of an offer is left: what was wrong with the section that was nearest.
  static func error(_ refusals: [MediumRefusal], purpose: WebRTCOffer.Purpose) -> WebRTCOfferError {
    switch refusals.max(by: { $0.rank < $1.rank }) {
    case .none, .notWanted: .noMedia(purpose)
    case .transport(let text): .unsupportedTransport(text)
    case .codec: .noKnownCodec
    case .noRTCPMultiplexing: .noRTCPMultiplexing
    }
  }
}
