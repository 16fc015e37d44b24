/// An `a=` line: a name, and a value if there is a colon (RFC 8866 section 5.13).
public struct SDPAttribute: Hashable, Sendable {
  /// What comes before the colon.
  public var name: String
  /// What comes after it; `nil` for a property attribute.
  public var value: String?

  /// Makes an attribute.
  public init(_ name: String, _ value: String? = nil) {
    self.name = name
    self.value = value
  }

  /// Takes the text behind `a=`.
  init(parsing text: Substring) {
    if let colon = text.firstIndex(of: ":") {
      self.init(String(text[..<colon]), String(text[text.index(after: colon)...]))
    } else {
      self.init(String(text))
    }
  }

  var line: String { value.map { "a=\(name):\($0)" } ?? "a=\(name)" }
}

extension [SDPAttribute] {
  /// The value of the first attribute of this name.
  public func value(_ name: String) -> String? { first { $0.name == name }?.value }

  /// The values of all attributes of this name.
  public func values(_ name: String) -> [String] { filter { $0.name == name }.compactMap(\.value) }

  /// Whether there is an attribute of this name.
  public func has(_ name: String) -> Bool { contains { $0.name == name } }
}
