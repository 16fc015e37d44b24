/// A session description (RFC 8866) as browsers exchange them (RFC 9429). Keeps every attribute as it is; what has a
/// meaning here is read by properties. Lines of other kinds (`b=`, `i=`, ...) are not kept.
public struct SessionDescription: Hashable, Sendable {
  /// No description may be longer; those of browsers have some 10,000 bytes.
  public static let maximumByteCount = 65_536
  static let maximumLineCount = 4_096
  static let maximumMediaCount = 32

  /// Who made the description.
  public var origin: SDPOrigin
  /// Attributes of the session.
  public var attributes: [SDPAttribute]
  /// The media, in order.
  public var media: [MediaDescription]

  /// Makes a description.
  public init(origin: SDPOrigin, attributes: [SDPAttribute] = [], media: [MediaDescription] = []) {
    self.origin = origin
    self.attributes = attributes
    self.media = media
  }

  /// The identification tags that share one transport (`a=group:BUNDLE`, RFC 9143); empty without bundling.
  public var bundledIdentifications: [String] {
    for value in attributes.values("group") {
      let words = value.split(separator: " ")
      if words.first == "BUNDLE" { return words.dropFirst().map(String.init) }
    }
    return []
  }

  /// Whether the other side is an ICE lite implementation (RFC 8839 section 5.3).
  public var isICELite: Bool { attributes.has("ice-lite") }

  /// ICE's user name fragment and password for a medium: its own or those of the session (RFC 8839 section 5.4).
  public func iceCredentials(of medium: MediaDescription) -> (usernameFragment: String, password: String)? {
    let name = medium.attributes.value("ice-ufrag") ?? attributes.value("ice-ufrag")
    let password = medium.attributes.value("ice-pwd") ?? attributes.value("ice-pwd")
    guard let name, let password else { return nil }
    return (name, password)
  }

  /// The certificate fingerprints for a medium: its own or those of the session (RFC 8122 section 5).
  public func fingerprints(of medium: MediaDescription) -> [SDPFingerprint] {
    let own = medium.attributes.values("fingerprint").compactMap(SDPFingerprint.init(parsing:))
    return own.isEmpty ? attributes.values("fingerprint").compactMap(SDPFingerprint.init(parsing:)) : own
  }

  /// Which side opens DTLS for a medium (RFC 8842 section 5.2); `nil` if it is not said.
  public func setupRole(of medium: MediaDescription) -> SDPSetupRole? {
    (medium.attributes.value("setup") ?? attributes.value("setup")).flatMap(SDPSetupRole.init(rawValue:))
  }
}
