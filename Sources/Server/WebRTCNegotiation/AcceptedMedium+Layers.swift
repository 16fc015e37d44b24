import SDPWire

extension AcceptedMedium {
  /// As many as the packet path takes.
  private static let maximumLayerCount = 3
  /// Names that clients give to encodings, smallest first.
  private static let knownNames: [[String]] = [
    ["q", "h", "f"], ["l", "m", "h"], ["low", "mid", "high"], ["low", "medium", "high"], ["0", "1", "2"],
    ["1", "2", "3"], ["r0", "r1", "r2"], ["s0", "s1", "s2"],
  ]

  /// The encodings that a publisher's section offers by name (RFC 8853) or, as older clients do, by a group of SSRCs.
  ///
  /// Their sizes are known when pictures come; until then the order is that of well-known names, else that of the offer.
  mutating func takeLayers(of medium: MediaDescription) {
    guard medium.kind == "video" else { return }
    layers = namedLayers(of: medium)
    if layers.count < 2 { layers = groupedLayers(of: medium) }
    if layers.count < 2 { layers = [] }
  }

  private func namedLayers(of medium: MediaDescription) -> [AcceptedLayer] {
    var layers: [AcceptedLayer] = []
    for name in medium.simulcastSendLayers {
      guard let rid = medium.restrictions.first(where: { $0.id == name && $0.direction == "send" }),
        !layers.contains(where: { $0.restrictionID == name }), name.utf8.count <= 255
      else { continue }
      var kept: [String] = []
      var allowsCodec = true
      for restriction in rid.parameters {
        guard restriction.hasPrefix("pt=") else {
          kept.append(restriction)
          continue
        }
        allowsCodec = restriction.dropFirst(3).split(separator: ",").contains { UInt8($0) == codec.payloadType }
        kept.append("pt=\(codec.payloadType)")
      }
      if allowsCodec { layers.append(AcceptedLayer(restrictionID: name, restrictions: kept.joined(separator: ";"))) }
    }
    if layers.count > Self.maximumLayerCount { layers.removeSubrange(Self.maximumLayerCount...) }
    let family = Self.knownNames.first { names in layers.allSatisfy { names.contains($0.restrictionID) } }
    guard let family else { return layers }
    return family.compactMap { name in layers.first { $0.restrictionID == name } }
  }

  private func groupedLayers(of medium: MediaDescription) -> [AcceptedLayer] {
    guard let group = medium.sourceGroups("SIM").first(where: { $0.count > 1 }), Set(group).count == group.count,
      !group.contains(0)
    else { return [] }
    let pairs = medium.sourceGroups("FID").filter { $0.count == 2 && $0[0] != $0[1] }
    return group.prefix(Self.maximumLayerCount).map { ssrc in
      let repair = pairs.first { $0[0] == ssrc }.map { $0[1] } ?? 0
      return AcceptedLayer(
        ssrc: ssrc, retransmissionSSRC: retransmission == nil || group.contains(repair) ? 0 : repair)
    }
  }

  /// Named encodings are known by a header extension; without it there is one encoding.
  mutating func dropLayersWithoutNames() {
    let isNamed = layers.contains { !$0.restrictionID.isEmpty }
    if isNamed, extensionID(HeaderExtensionURI.restrictionID) == 0 { layers = [] }
  }

  /// The lines of the answer that agree to encodings by name (RFC 8853 section 5.3).
  var layerLines: [SDPAttribute] {
    let named = layers.filter { !$0.restrictionID.isEmpty }
    guard !named.isEmpty else { return [] }
    let lines = named.map {
      SDPAttribute("rid", "\($0.restrictionID) recv" + ($0.restrictions.isEmpty ? "" : " \($0.restrictions)"))
    }
    return lines + [SDPAttribute("simulcast", "recv " + named.map(\.restrictionID).joined(separator: ";"))]
  }
}
