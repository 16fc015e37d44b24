/// Text to description and back.
extension SessionDescription {
  /// Reads a description. Lines may end with CR LF or LF; unknown kinds of lines and unknown attributes are fine.
  public init(parsing text: String) throws(SDPParseError) {
    guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong }
    // Swift takes CR LF for one character, so both ends of lines are looked for.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" || $0 == "\r" }
    guard lines.count <= Self.maximumLineCount else { throw .tooLong }
    guard lines.first == "v=0" else { throw .unknownVersion }
    var origin: SDPOrigin?
    var attributes: [SDPAttribute] = []
    var media: [MediaDescription] = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      guard let (kind, value) = Self.parts(of: line) else { throw .malformedLine(index + 1) }
      switch kind {
      case "o" where media.isEmpty: origin = origin ?? SDPOrigin(parsing: value)
      case "m":
        guard let medium = MediaDescription(parsing: value) else { throw .malformedMedia(line: index + 1) }
        guard media.count < Self.maximumMediaCount else { throw .tooLong }
        media.append(medium)
      case "a":
        let attribute = SDPAttribute(parsing: value)
        if media.isEmpty { attributes.append(attribute) } else { media[media.count - 1].attributes.append(attribute) }
      default: break
      }
    }
    guard let origin else { throw .malformedOrigin }
    self.init(origin: origin, attributes: attributes, media: media)
  }

  /// A line's letter and what comes behind the equals sign.
  private static func parts(of line: Substring) -> (Character, Substring)? {
    guard let kind = line.first, kind.isASCII, kind.isLetter else { return nil }
    let rest = line.dropFirst()
    return rest.first == "=" ? (kind, rest.dropFirst()) : nil
  }

  /// The description as text, each line ended by CR LF.
  public var text: String {
    var lines = ["v=0", origin.line, "s=-", "t=0 0"]
    lines += attributes.map(\.line)
    for medium in media {
      lines.append("m=\(medium.kind) \(medium.port) \(medium.transport) \(medium.formats.joined(separator: " "))")
      lines.append("c=IN IP4 0.0.0.0")
      lines += medium.attributes.map(\.line)
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }
}
