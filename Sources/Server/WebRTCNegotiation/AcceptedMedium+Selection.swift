import SDPWire

extension AcceptedMedium {
  /// RTP under these names is answered (RFC 9429 section 5.1.2 wants all of them treated alike).
  private static let transports: Set = [
    "UDP/TLS/RTP/SAVPF", "UDP/TLS/RTP/SAVP", "RTP/SAVPF", "RTP/SAVP", "RTP/AVPF", "RTP/AVP", "TCP/DTLS/RTP/SAVPF",
    "TCP/DTLS/RTP/SAVP",
  ]
  /// With one port for RTP and RTCP these look like RTCP (RFC 5761 section 4).
  private static let unusablePayloadTypes: ClosedRange<UInt8> = 64...95

  /// Looks at section `index` of an offer.
  init(
    _ index: Int, of offer: SessionDescription, purpose: WebRTCOffer.Purpose, support: WebRTCOffer.Support
  ) throws(MediumRefusal) {
    let medium = offer.media[index]
    let isAudio = medium.kind == "audio"
    let direction = offer.direction(of: medium)
    guard isAudio || medium.kind == "video", !medium.isRejected,
      purpose == .publish ? direction.sends : direction.receives
    else { throw .notWanted }
    guard Self.transports.contains(medium.transport) else { throw .transport(medium.transport) }
    let codecs = medium.codecs.filter { !Self.unusablePayloadTypes.contains($0.payloadType) }
    guard let codec = codecs.first(where: isAudio ? Self.isOpus : Self.isVP8) else { throw .codec }
    // Bundled sections that are never sent alone leave this to the first one (RFC 9143 section 7.1.3).
    guard
      medium.attributes.has("rtcp-mux") || medium.attributes.has("rtcp-mux-only")
        || medium.attributes.has("bundle-only")
    else { throw .noRTCPMultiplexing }
    self.index = index
    self.codec = codec
    retransmission =
      isAudio
      ? nil
      : codecs.first {
        $0.isNamed("rtx") && $0.clockRate == 90_000 && $0.associatedPayloadType == codec.payloadType
          && $0.payloadType != codec.payloadType
      }
    redundancy = isAudio ? codecs.first { Self.isRedundancy($0, around: codec) } : nil
    identification = medium.identification
    let allowsMixedForms = [medium.attributes, offer.attributes].contains { $0.has("extmap-allow-mixed") }
    extensions = []
    if purpose == .publish {
      takeSources(of: medium)
      takeLayers(of: medium)
    }
    // Whose packets have transport-wide numbers gets feedback on these instead.
    let hasNumbers =
      support.contains(.transportCC)
      && medium.headerExtensions.contains { $0.uri == HeaderExtensionURI.transportSequence }
    isToldEstimate = purpose == .publish && !isAudio && codec.feedback.contains("goog-remb") && !hasNumbers
    extensions = Self.extensions(
      of: medium, allowsMixedForms: allowsMixedForms, purpose: purpose, support: support,
      hasNamedLayers: layers.contains { !$0.restrictionID.isEmpty },
      wantsEstimate: isToldEstimate)
    dropLayersWithoutNames()
  }

  /// Two channels always (RFC 7587 section 7), which some clients do not write.
  private static func isOpus(_ codec: SDPCodec) -> Bool {
    codec.isNamed("opus") && codec.clockRate == 48_000 && (codec.channelCount ?? 2) == 2
  }

  /// The format's parameter names the payload type of the packet's own encoding and of each repeated one (RFC 2198
  /// section 5).
  private static func isRedundancy(_ codec: SDPCodec, around opus: SDPCodec) -> Bool {
    guard codec.isNamed("red"), codec.clockRate == 48_000, (codec.channelCount ?? 2) == 2,
      codec.payloadType != opus.payloadType, let types = codec.parameters.first?.name.split(separator: "/")
    else { return false }
    return types.count > 1 && types.allSatisfy { UInt8($0) == opus.payloadType }
  }

  private static func isVP8(_ codec: SDPCodec) -> Bool { codec.isNamed("VP8") && codec.clockRate == 90_000 }

  /// The SSRCs that the offer tells; a group FID binds a stream and its retransmissions (RFC 5576 section 4.2).
  private mutating func takeSources(of medium: MediaDescription) {
    let sources = medium.sources.map(\.ssrc)
    // Where only one encoding is taken, it is the first.
    ssrc = medium.sourceGroups("SIM").first?.first ?? sources.first ?? 0
    guard medium.kind == "video" else { return }
    let pairs = medium.sourceGroups("FID").filter { $0.count == 2 && $0[0] != $0[1] }
    guard let pair = pairs.first(where: { $0[0] == ssrc }) ?? pairs.first else { return }
    ssrc = pair[0]
    if retransmission != nil { retransmissionSSRC = pair[1] }
  }
}

extension SessionDescription {
  /// Which way a medium flows: its own word, or the session's (RFC 8866 section 6.7).
  func direction(of medium: MediaDescription) -> SDPDirection {
    let isSaid = SDPDirection.allCases.contains { medium.attributes.has($0.rawValue) }
    return isSaid
      ? medium.direction : SDPDirection.allCases.first { attributes.has($0.rawValue) } ?? medium.direction
  }
}
