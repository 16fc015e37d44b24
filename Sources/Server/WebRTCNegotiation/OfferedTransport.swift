import ControlWire
import SDPWire

/// What an offer says of the transport that its sections share.
struct OfferedTransport {
  var ice: ICEParameters
  /// SHA-256 of the client's certificate.
  var fingerprint: [UInt8]
  var isTrickling: Bool

  /// - Parameter sections: where to look, best first; what the session says counts for each of them.
  init(_ offer: SessionDescription, sections: [Int]) throws(WebRTCOfferError) {
    let media = sections.map { offer.media[$0] }
    guard let credentials = media.lazy.compactMap({ offer.iceCredentials(of: $0) }).first
    else { throw .noICECredentials }
    ice = ICEParameters(usernameFragment: credentials.usernameFragment, password: credentials.password)
    guard ice.isValid else { throw .invalidICECredentials }
    let fingerprints = media.lazy.flatMap { offer.fingerprints(of: $0) }
    guard let hash = fingerprints.first(where: { $0.hashFunction == "sha-256" && $0.bytes.count == 32 })
    else { throw .noFingerprint }
    fingerprint = hash.bytes
    // Who says nothing opens DTLS (RFC 4145 section 4).
    let roles = media.lazy.compactMap { $0.attributes.value("setup") }
    let role = roles.first ?? offer.attributes.value("setup") ?? SDPSetupRole.active.rawValue
    guard role == SDPSetupRole.active.rawValue || role == SDPSetupRole.actpass.rawValue
    else { throw .unsupportedSetupRole(role) }
    isTrickling = (media.flatMap(\.attributes) + offer.attributes).values("ice-options")
      // Spaces are between options (RFC 8839 section 5.6); libdatachannel writes commas.
      .contains { $0.split { $0 == " " || $0 == "," }.contains("trickle") }
  }
}
