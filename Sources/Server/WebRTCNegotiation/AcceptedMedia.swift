import ControlWire
import ForwardingCore
import SDPWire

/// Which sections of an offer are accepted: at most one of audio and one of video, on one transport.
struct AcceptedMedia {
  var audio: AcceptedMedium?
  var video: AcceptedMedium?
  /// The places of the accepted sections, that with the transport first.
  var order: [Int] = []
  /// The places of the sections that share the transport, in the order of the group; empty without a BUNDLE group.
  var bundle: [Int]

  init(_ offer: SessionDescription, purpose: WebRTCOffer.Purpose, supportsTransportCC: Bool) throws(WebRTCOfferError) {
    var candidates: [AcceptedMedium] = []
    var refusals: [MediumRefusal] = []
    for index in offer.media.indices {
      do throws(MediumRefusal) {
        candidates.append(
          try AcceptedMedium(index, of: offer, purpose: purpose, supportsTransportCC: supportsTransportCC))
      } catch { refusals.append(error) }
    }
    guard let first = candidates.first else { throw MediumRefusal.error(refusals, purpose: purpose) }
    bundle = Self.bundledSections(of: offer)
    let bundled = candidates.filter { bundle.contains($0.index) }
    // Without a group each section has a transport of its own, and only one can be had.
    if bundled.isEmpty { bundle = [] }
    for candidate in bundled.isEmpty ? [first] : bundled {
      if offer.media[candidate.index].kind == "audio" {
        audio = audio ?? candidate
      } else {
        video = video ?? candidate
      }
    }
    settleConflicts()
    let accepted = [audio?.index, video?.index].compactMap { $0 }
    order = bundle.isEmpty ? accepted : bundle.filter(accepted.contains)
  }

  /// The first section of each tag in the group; tags that no section has are passed over.
  private static func bundledSections(of offer: SessionDescription) -> [Int] {
    var sections: [Int] = []
    for tag in offer.bundledIdentifications {
      guard let index = offer.media.firstIndex(where: { $0.identification == tag }), !sections.contains(index)
      else { continue }
      sections.append(index)
    }
    return sections
  }

  /// On one transport, a number has one meaning (RFC 9143 sections 9.1 and 10.1). The later one has to stand back.
  private mutating func settleConflicts() {
    guard let audio, let offered = video else { return }
    if offered.codec.payloadType == audio.codec.payloadType { video = nil }
    if offered.retransmission?.payloadType == audio.codec.payloadType {
      video?.retransmission = nil
      video?.retransmissionSSRC = 0
    }
    if offered.ssrc == audio.ssrc { video?.ssrc = 0 }
    if offered.retransmissionSSRC == audio.ssrc { video?.retransmissionSSRC = 0 }
    let ids = Set(audio.extensions.filter { !offered.extensions.contains($0) }.map(\.id))
    video?.extensions.removeAll { ids.contains($0.id) }
  }

  var format: ForwardedFormat {
    let uri = HeaderExtensionURI.transportSequence
    let ids = Set([audio, video].compactMap { $0?.extensionID(uri) }.filter { $0 != 0 })
    return ForwardedFormat(
      opusPayloadType: audio?.codec.payloadType ?? 0, vp8PayloadType: video?.codec.payloadType ?? 0,
      rtxPayloadType: video?.retransmission?.payloadType,
      audioLevelExtensionID: audio?.extensionID(HeaderExtensionURI.audioLevel) ?? 0,
      transportSequenceExtensionID: ids.count == 1 ? ids.first ?? 0 : 0)
  }

  var ssrcs: TrackSSRCs {
    TrackSSRCs(audio: audio?.ssrc ?? 0, video: video?.ssrc ?? 0, videoRTX: video?.retransmissionSSRC ?? 0)
  }
}
