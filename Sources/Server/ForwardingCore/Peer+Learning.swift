import MediaBase
import RTPWire

/// Whose packets an SSRC carries (RFC 9143 section 9.2, RFC 8852).
extension Peer {
  /// Which of its tracks an SSRC is; nil for others.
  func track(ssrc: UInt32) -> (stream: Int32, isRetransmission: Bool)? {
    guard ssrc != 0 else { return nil }
    if ssrc == ssrcs.video { return (videoStream, false) }
    if ssrc == ssrcs.audio { return (audioStream, false) }
    if ssrc == ssrcs.videoRTX { return (videoStream, true) }
    for layer in layers {
      if ssrc == layer.ssrc { return (layer.stream, false) }
      if ssrc == layer.rtxSSRC { return (layer.stream, true) }
    }
    return nil
  }

  /// Whether a track's SSRC is still to be learned, or may become another.
  var isLearning: Bool {
    if ssrcs.audio == 0 || format.mediaIDExtensionID != 0 { return true }
    if layers.isEmpty { return ssrcs.video == 0 || ssrcs.videoRTX == 0 }
    return format.restrictionIDExtensionID != 0 || layers.contains { $0.ssrc == 0 || $0.rtxSSRC == 0 }
  }

  /// Takes the SSRC of a packet for the track that it says it belongs to: by its `mid` and `rid`, even if that has one: the
  /// newest counts. Else by its payload type if there is only one such track, and that has none yet. To be called for authentic packets only, whose SSRC is not
  /// known.
  mutating func learn(
    _ layout: RTPPacketLayout, in bytes: RawSpan
  ) -> (stream: Int32, isRetransmission: Bool)? {
    let header = layout.header
    let naming = naming(layout, in: bytes)
    guard naming != .another else { return nil }
    let isNamed = naming == .its
    if !layers.isEmpty, !isAudio(header) { return learnLayer(layout, in: bytes) }
    switch header.payloadType {
    case format.vp8PayloadType where ssrcs.video == 0 || isNamed: ssrcs.video = header.ssrc
    case format.opusPayloadType where ssrcs.audio == 0 || isNamed: ssrcs.audio = header.ssrc
    case let type where type == format.redPayloadType && (ssrcs.audio == 0 || isNamed): ssrcs.audio = header.ssrc
    case let type where type == format.rtxPayloadType && (ssrcs.videoRTX == 0 || isNamed): ssrcs.videoRTX = header.ssrc
    default: return nil
    }
    return track(ssrc: header.ssrc)
  }

  private func isAudio(_ header: RTPHeader) -> Bool {
    header.payloadType == format.opusPayloadType || header.payloadType == format.redPayloadType
  }

  private enum Naming { case none, its, another }

  /// Which medium a packet names: it must be that of its payload type.
  private func naming(_ layout: RTPPacketLayout, in bytes: RawSpan) -> Naming {
    guard let range = layout.headerExtension(id: format.mediaIDExtensionID, in: bytes) else { return .none }
    let expected = isAudio(layout.header) ? audioMediaID : videoMediaID
    if expected.isEmpty { return .none }
    return bytes.equals(expected, in: range) ? .its : .another
  }

  private mutating func learnLayer(
    _ layout: RTPPacketLayout, in bytes: RawSpan
  ) -> (stream: Int32, isRetransmission: Bool)? {
    let header = layout.header
    let isRetransmission = header.payloadType == format.rtxPayloadType
    guard isRetransmission || header.payloadType == format.vp8PayloadType else { return nil }
    let id = isRetransmission ? format.repairedRestrictionIDExtensionID : format.restrictionIDExtensionID
    if let range = layout.headerExtension(id: id, in: bytes) {
      for position in layers.indices where bytes.equals(layers[position].restrictionID, in: range) {
        if isRetransmission { layers[position].rtxSSRC = header.ssrc } else { layers[position].ssrc = header.ssrc }
        return (layers[position].stream, isRetransmission)
      }
      return nil
    }
    // Who sends without names sends one encoding only (RFC 8853 section 5.2).
    guard layers.allSatisfy({ $0.ssrc == 0 }) || isRetransmission,
      let position = layers.firstIndex(where: {
        isRetransmission ? $0.ssrc != 0 && $0.rtxSSRC == 0 : true
      }), !isRetransmission || layers.count(where: { $0.ssrc != 0 }) == 1
    else { return nil }
    if isRetransmission { layers[position].rtxSSRC = header.ssrc } else { layers[position].ssrc = header.ssrc }
    return (layers[position].stream, isRetransmission)
  }
}

extension RawSpan {
  /// Whether the bytes of `range` are `other`.
  fileprivate func equals(_ other: [UInt8], in range: Range<Int>) -> Bool {
    guard range.count == other.count, !other.isEmpty else { return false }
    for position in 0..<other.count where uint8(at: range.lowerBound + position) != other[position] { return false }
    return true
  }
}
