import ControlWire

/// Why a text is not a control message; `description` is a sentence for the people who make the other side.
public enum ControlMessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not JSON, not an object, nested too deeply, or with a number that does not fit; Foundation does not say where.
  case unreadable
  /// A member that has to be there is not; as a path, for example `publish.audio`.
  case missing(member: String)
  /// A member has a value of another type, or a user's number that cannot be one.
  case wrongType(member: String, expected: String)
  /// A member has a value of the right type that is not known, for example a `type`.
  case unknownValue(member: String)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .unreadable: "The message is not a JSON object, or a number in it is out of range or not whole."
    case .missing(let member): "The message has no member '\(member)'; add it."
    case .wrongType(let member, let expected): "The message's member '\(member)' must be \(expected)."
    case .unknownValue(let member): "The message's member '\(member)' has a value that is not known."
    }
  }
}

extension ControlMessageError {
  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context): self = .missing(member: Self.path(context.codingPath + [key]))
    case .valueNotFound(let type, let context), .typeMismatch(let type, let context):
      self =
        context.codingPath.isEmpty
        ? .unreadable : .wrongType(member: Self.path(context.codingPath), expected: Self.name(of: type))
    case .dataCorrupted(let context):
      self = context.codingPath.isEmpty ? .unreadable : .unknownValue(member: Self.path(context.codingPath))
    @unknown default: self = .unreadable
    }
  }

  /// The members on the way to the one that is wrong. Short: names of members come from the other side too.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map { String($0) } ?? $0.stringValue }.joined(separator: ".").prefix(byteCount: 100)
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is Bool.Type: "true or false"
    case is String.Type: "a text"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is any Sequence.Type where !(type is any ExpressibleByDictionaryLiteral.Type): "a list"
    default: "an object"
    }
  }
}
