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
  /// Why the others are not accepted, by place.
  var refusals: [Int: MediumRefusal] = [:]
  private let purpose: WebRTCOffer.Purpose

  init(_ offer: SessionDescription, purpose: WebRTCOffer.Purpose, support: WebRTCOffer.Support) throws(WebRTCOfferError)
  {
    self.purpose = purpose
    var candidates: [AcceptedMedium] = []
    for index in offer.media.indices {
      do throws(MediumRefusal) {
        candidates.append(
          try AcceptedMedium(index, of: offer, purpose: purpose, support: support))
      } catch { refusals[index] = error }
    }
    guard let first = candidates.first else { throw MediumRefusal.error(refusals.values, purpose: purpose) }
    bundle = Self.bundledSections(of: offer)
    // Without a group each section has a transport of its own, and only one can be had.
    if !candidates.contains(where: { bundle.contains($0.index) }) { bundle = [] }
    for candidate in candidates {
      guard bundle.isEmpty ? candidate.index == first.index : bundle.contains(candidate.index) else {
        refusals[candidate.index] = .otherTransport
        continue
      }
      let isAudio = offer.media[candidate.index].kind == "audio"
      if (isAudio ? audio : video) != nil {
        refusals[candidate.index] = .oneTooMany
      } else if isAudio {
        audio = candidate
      } else {
        video = candidate
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

  /// On one transport, a number has one meaning (RFC 9143 section 9.1). Video has to stand back.
  private mutating func settleConflicts() {
    guard let audio, let offered = video else { return }
    if offered.codec.payloadType == audio.codec.payloadType {
      refusals[offered.index] = .payloadTypeInUse
      return video = nil
    }
    if [offered.codec.payloadType, offered.retransmission?.payloadType].contains(audio.redundancy?.payloadType) {
      self.audio?.redundancy = nil
    }
    if offered.retransmission?.payloadType == audio.codec.payloadType { video?.retransmission = nil }
    if offered.ssrc == audio.ssrc { video?.ssrc = 0 }
    if video?.retransmission == nil || offered.retransmissionSSRC == audio.ssrc { video?.retransmissionSSRC = 0 }
    // What the two sections see differently is left out of both.
    for (one, other) in [(audio, offered), (offered, audio)] {
      for mine in one.extensions {
        guard other.extensions.contains(where: { ($0.id == mine.id) != ($0.uri == mine.uri) }) else { continue }
        self.audio?.extensions.removeAll { $0.uri == mine.uri }
        video?.extensions.removeAll { $0.uri == mine.uri }
      }
    }
    video?.dropLayersWithoutNames()
  }

  var format: ForwardedFormat {
    let accepted = [audio, video].compactMap { $0 }
    var format = ForwardedFormat(
      opusPayloadType: audio?.codec.payloadType ?? 0, vp8PayloadType: video?.codec.payloadType ?? 0,
      rtxPayloadType: video?.retransmission?.payloadType,
      audioLevelExtensionID: audio?.extensionID(HeaderExtensionURI.audioLevel) ?? 0,
      transportSequenceExtensionID: accepted.map { $0.extensionID(HeaderExtensionURI.transportSequence) }.max() ?? 0)
    format.redPayloadType = audio?.redundancy?.payloadType
    format.extensions = extensions
    switch purpose {
    case .play: nameMedia(&format.extensions)
    case .publish: format.mediaIDExtensionID = mediaIDExtensionID
    }
    guard let video, !video.layers.isEmpty else { return format }
    format.restrictionIDExtensionID = video.extensionID(HeaderExtensionURI.restrictionID)
    format.repairedRestrictionIDExtensionID = video.extensionID(HeaderExtensionURI.repairedRestrictionID)
    return format
  }

  /// The encodings of the video, if there are several.
  var layers: [AcceptedLayer] { video?.layers ?? [] }

  var ssrcs: TrackSSRCs {
    TrackSSRCs(audio: audio?.ssrc ?? 0, video: video?.ssrc ?? 0, videoRTX: video?.retransmissionSSRC ?? 0)
  }
}
