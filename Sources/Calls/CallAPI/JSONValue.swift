/// A JSON value (RFC 8259): what extensions of calls and the details of states are made of.
///
/// Values nested deeper than `maximumDepth` are neither read nor written. Read texts of strangers as messages
/// (`CallMessage`): what a `Decoder` takes grows with the third power of the depth.
public enum JSONValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number that fits into 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text.
  case string(String)
  /// Values in their order.
  case array([JSONValue])
  /// Values by their names; the order is lost.
  case object([String: JSONValue])

  /// How deep values may be nested, counted from the message.
  public static let maximumDepth = 32

  /// The text, if it is one.
  public var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The whole number, if it is one.
  public var wholeNumber: Int64? { if case .integer(let number) = self { number } else { nil } }
}

extension JSONValue: Codable {
  /// Reads any JSON value.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.maximumDepth else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "nested too deep"))
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      // The most frequent first: every attempt that fails costs.
      self = .string(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.codingPath.count <= Self.maximumDepth else {
      throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "nested too deep"))
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// A whole number, or the nearest one that JSON's readers agree on if it is very large.
  init(_ value: UInt) {
    self = Int64(exactly: value).map { .integer($0) } ?? .number(Double(value))
  }
}
