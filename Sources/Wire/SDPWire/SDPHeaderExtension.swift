/// A header extension and the number it has in packets (`a=extmap`, RFC 8285 section 8).
public struct SDPHeaderExtension: Hashable, Sendable {
  /// 1...14 for one-byte headers, up to 255 for two-byte ones.
  public var id: UInt8
  /// What it is.
  public var uri: String
  /// Which way it travels, from the description's maker; `nil` if that is not said, which means the way of the media.
  public var direction: SDPDirection?

  /// Makes an extension.
  public init(id: UInt8, uri: String, direction: SDPDirection? = nil) {
    self.id = id
    self.uri = uri
    self.direction = direction
  }

  /// Takes the value of `a=extmap`; further words are not kept. Numbers beyond 255 are for negotiation only and give
  /// `nil`.
  init?(parsing text: String) {
    let words = text.split(separator: " ")
    guard words.count >= 2 else { return nil }
    let parts = words[0].split(separator: "/", maxSplits: 1)
    guard let id = parts.first.flatMap({ UInt8($0) }), id > 0 else { return nil }
    self.init(
      id: id, uri: String(words[1]), direction: parts.count == 2 ? SDPDirection(rawValue: String(parts[1])) : nil)
  }

  /// The line that describes it.
  public var attribute: SDPAttribute {
    SDPAttribute("extmap", "\(id)\(direction.map { "/\($0)" } ?? "") \(uri)")
  }
}
