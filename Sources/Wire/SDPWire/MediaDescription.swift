/// One `m=` section (RFC 8866 section 5.14).
public struct MediaDescription: Hashable, Sendable {
  /// `audio`, `video`, `application` or another kind.
  public var kind: String
  /// 0 rejects the medium; 9 stands for "told by ICE".
  public var port: UInt16
  /// `UDP/TLS/RTP/SAVPF` for media of browsers.
  public var transport: String
  /// Payload types as text, for RTP; most wanted first.
  public var formats: [String]
  /// All `a=` lines, in order.
  public var attributes: [SDPAttribute]

  /// Makes a section.
  public init(kind: String, port: UInt16, transport: String, formats: [String], attributes: [SDPAttribute] = []) {
    self.kind = kind
    self.port = port
    self.transport = transport
    self.formats = formats
    self.attributes = attributes
  }

  /// Takes the text behind `m=`. A port range's count is not kept.
  init?(parsing text: Substring) {
    let words = text.split(separator: " ")
    guard words.count >= 3, let port = words[1].split(separator: "/").first.flatMap({ UInt16($0) }) else { return nil }
    self.init(
      kind: String(words[0]), port: port, transport: String(words[2]), formats: words.dropFirst(3).map(String.init))
  }

  /// The identification tag (`a=mid`, RFC 5888 section 4).
  public var identification: String? { attributes.value("mid") }

  /// Which way media flows; both ways if it is not said.
  public var direction: SDPDirection {
    SDPDirection.allCases.first { attributes.has($0.rawValue) } ?? .sendrecv
  }

  /// Whether the maker rejects it.
  public var isRejected: Bool { port == 0 && !attributes.has("bundle-only") }
}
