/// What RTP needs to know of a section.
extension MediaDescription {
  /// The codecs, most wanted first: formats without `a=rtpmap` are left out.
  public var codecs: [SDPCodec] {
    let maps = attributes.values("rtpmap").compactMap(SDPCodec.init(parsing:))
    let parameters = attributes.values("fmtp").compactMap { value -> (UInt8, String)? in
      guard let space = value.firstIndex(of: " "), let type = UInt8(value[..<space]) else { return nil }
      return (type, String(value[value.index(after: space)...]))
    }
    let feedback = attributes.values("rtcp-fb").compactMap { value -> (UInt8?, String)? in
      guard let space = value.firstIndex(of: " ") else { return nil }
      let type = UInt8(value[..<space])
      guard type != nil || value[..<space] == "*" else { return nil }
      return (type, String(value[value.index(after: space)...]))
    }
    // A type that is named again says nothing new, and there are 128 of them however long the line is.
    var seen: Set<UInt8> = []
    return formats.compactMap { format in
      guard let type = UInt8(format), type < 128, seen.insert(type).inserted,
        var codec = maps.first(where: { $0.payloadType == type })
      else { return nil }
      codec.setParameters(parameters.first { $0.0 == type }?.1)
      codec.feedback = feedback.filter { $0.0 == nil || $0.0 == type }.map(\.1)
      return codec
    }
  }

  /// Header extensions (RFC 8285 section 8), by URI.
  public var headerExtensions: [SDPHeaderExtension] {
    attributes.values("extmap").compactMap(SDPHeaderExtension.init(parsing:))
  }

  /// SSRCs in order of appearance, each with its `cname` if that is told (RFC 5576 section 4.1).
  public var sources: [(ssrc: UInt32, cname: String?)] {
    var sources: [(ssrc: UInt32, cname: String?)] = []
    var places: [UInt32: Int] = [:]
    for value in attributes.values("ssrc") {
      let words = value.split(separator: " ", maxSplits: 1)
      guard let ssrc = words.first.flatMap({ UInt32($0) }) else { continue }
      let cname = words.count > 1 && words[1].hasPrefix("cname:") ? String(words[1].dropFirst(6)) : nil
      if let index = places[ssrc] {
        sources[index].cname = sources[index].cname ?? cname
      } else {
        places[ssrc] = sources.count
        sources.append((ssrc, cname))
      }
    }
    return sources
  }

  /// The SSRCs of each group of these semantics: `FID` binds a stream and its retransmissions, `SIM` layers.
  public func sourceGroups(_ semantics: String) -> [[UInt32]] {
    attributes.values("ssrc-group").compactMap { value in
      let words = value.split(separator: " ")
      guard words.first == semantics[...] else { return nil }
      return words.dropFirst().compactMap { UInt32($0) }
    }
  }

  /// The names of the layers that the maker wants to send, in its order (`a=simulcast:send`, RFC 8853); a layer's
  /// alternatives and the mark of those that are paused at first are left out.
  public var simulcastSendLayers: [String] {
    guard let value = attributes.value("simulcast") else { return [] }
    let words = value.split(separator: " ")
    guard let place = words.firstIndex(of: "send"), place + 1 < words.count else { return [] }
    return words[place + 1].split(separator: ";").compactMap { layer in
      layer.split(separator: ",").first.map { String($0.hasPrefix("~") ? $0.dropFirst() : $0) }
    }
  }

  /// The restrictions of encodings (`a=rid`, RFC 8851 section 4): a name, `send` or `recv`, and what is behind it.
  public var restrictions: [(id: String, direction: String, parameters: [String])] {
    attributes.values("rid").compactMap { value in
      let words = value.split(separator: " ", maxSplits: 2)
      guard words.count >= 2 else { return nil }
      let parameters = words.count > 2 ? words[2].split(separator: ";").map(String.init) : []
      return (String(words[0]), String(words[1]), parameters)
    }
  }
}
