/// A header extension and the number it has in packets (`a=extmap`, RFC 8285 section 8).
public struct SDPHeaderExtension: Hashable, Sendable {
  /// 1...14 for one-byte headers, up to 255 for two-byte ones.
  public var id: UInt8
  /// What it is.
  public var uri: String

  /// Makes an extension.
  public init(id: UInt8, uri: String) {
    self.id = id
    self.uri = uri
  }

  /// Takes the value of `a=extmap`; a direction and further words are not kept. Numbers beyond 255 are for negotiation
  /// only and give `nil`.
  init?(parsing text: String) {
    let words = text.split(separator: " ")
    guard words.count >= 2, let id = words[0].split(separator: "/").first.flatMap({ UInt8($0) }), id > 0
    else { return nil }
    self.init(id: id, uri: String(words[1]))
  }

  /// The line that describes it.
  public var attribute: SDPAttribute { SDPAttribute("extmap", "\(id) \(uri)") }
}
