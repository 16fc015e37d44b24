import ControlWire
import SDPWire

@testable import WebRTCNegotiation

/// What an answer must be to an offer (RFC 3264 section 6, RFC 9429 section 5.3, RFC 9143 section 7.3).
enum AnswerRules {
  static let server = WebRTCAnswerParameters(
    serverICE: ICEParameters(usernameFragment: "serverfr", password: "0123456789abcdefghijklmn"),
    candidates: [CandidateAddress(host: "192.0.2.1", port: 7_000), CandidateAddress(host: "2001:db8::1", port: 7_001)],
    fingerprint: Array(0..<32), receiveSSRCs: TrackSSRCs(audio: 11, video: 12, videoRTX: 13), cname: "server",
    sessionID: 4_611_731_400_430_051_336)

  /// The answer to `offer`, read from its text.
  static func answer(_ offer: WebRTCOffer) throws -> SessionDescription {
    try SessionDescription(parsing: offer.answer(server).text)
  }

  /// The rules that `answer` breaks.
  static func broken(by answer: SessionDescription, to offer: SessionDescription) -> [String] {
    guard answer.media.count == offer.media.count else { return ["number of sections"] }
    var broken = zip(answer.media, offer.media).flatMap { section($0, $1) }
    func check(_ holds: Bool, _ rule: String) { if !holds { broken.append(rule) } }
    let accepted = answer.media.filter { $0.port != 0 }
    let bundle = answer.bundledIdentifications
    check(!accepted.isEmpty, "something is accepted")
    check(answer.isICELite, "ice-lite")
    check(bundle.allSatisfy(offer.bundledIdentifications.contains), "BUNDLE is a subset")
    check(bundle.count == accepted.count || accepted.count == 1, "all accepted media are bundled")
    check(Set(bundle).isSubset(of: accepted.compactMap(\.identification)), "rejected media are not bundled")
    let tagged = bundle.isEmpty ? accepted.first : accepted.first { $0.identification == bundle[0] }
    for medium in answer.media {
      let isTagged = medium == tagged
      check(medium.attributes.has("candidate") == isTagged, "candidates are in the tagged section")
      check(medium.attributes.has("end-of-candidates") == isTagged, "end-of-candidates after candidates")
    }
    return broken
  }

  private static func section(_ answer: MediaDescription, _ offer: MediaDescription) -> [String] {
    var broken: [String] = []
    func check(_ holds: Bool, _ rule: String) { if !holds { broken.append(rule) } }
    check(answer.kind == offer.kind && answer.transport == offer.transport, "kind and transport")
    check(answer.identification == offer.identification, "mid")
    check(!answer.formats.isEmpty, "at least one format")
    check(answer.attributes.value("setup") == "passive", "setup")
    check(answer.attributes.value("ice-ufrag") == "serverfr" && answer.attributes.has("ice-pwd"), "ICE credentials")
    check(answer.attributes.has("fingerprint"), "fingerprint")
    layers(answer, offer, check)
    check(!answer.attributes.has("bundle-only"), "bundle-only is for offers")
    guard answer.port != 0 else { return broken + (answer.direction == .inactive ? [] : ["inactive"]) }
    check(!offer.isRejected, "what is rejected stays rejected")
    check(answer.attributes.has("rtcp-mux"), "rtcp-mux")
    check(!answer.attributes.has("rtcp-rsize") || offer.attributes.has("rtcp-rsize"), "rtcp-rsize")
    check(!answer.direction.sends || offer.direction.receives, "direction")
    check(!answer.direction.receives || offer.direction.sends, "direction")
    check(answer.formats.allSatisfy(offer.formats.contains), "formats are a subset")
    check(answer.codecs.count == answer.formats.count, "each format has a codec")
    for codec in answer.codecs {
      let offered = offer.codecs.first { $0.payloadType == codec.payloadType }
      check(offered?.name == codec.name && offered?.clockRate == codec.clockRate, "codec \(codec.payloadType)")
      check(codec.feedback.allSatisfy { offered?.feedback.contains($0) == true }, "feedback \(codec.payloadType)")
      check(codec.associatedPayloadType == offered?.associatedPayloadType, "apt \(codec.payloadType)")
    }
    let extensions = offer.headerExtensions.map { "\($0.id) \($0.uri)" }
    check(answer.headerExtensions.allSatisfy { extensions.contains("\($0.id) \($0.uri)") }, "extmap is a subset")
    return broken
  }

  /// RFC 8853 section 5.3: only what was offered, the other way round, and each name with an `a=rid`.
  private static func layers(_ answer: MediaDescription, _ offer: MediaDescription, _ check: (Bool, String) -> Void) {
    let names = answer.restrictions.map(\.id)
    let simulcast = answer.attributes.value("simulcast")
    check((simulcast != nil) == !names.isEmpty, "simulcast with rid")
    check(simulcast == nil || simulcast == "recv " + names.joined(separator: ";"), "simulcast names rids")
    check(answer.restrictions.allSatisfy { $0.direction == "recv" }, "rid recv")
    check(names.allSatisfy(offer.simulcastSendLayers.contains) && names.count <= 3, "layers are a subset")
    guard !names.isEmpty else { return }
    let uri = "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"
    check(answer.headerExtensions.contains { $0.uri == uri }, "packets name their encoding")
  }
}
