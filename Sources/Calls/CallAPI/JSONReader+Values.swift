import ControlWire

extension JSONReader {
  /// An object's members, or `nil` for null.
  mutating func object(depth: Int) throws -> [String: JSONValue]? {
    switch try value(depth: depth) {
    case .object(let members): return members
    case .null: return nil
    default: throw Failure.notExpected
    }
  }

  /// Any value, which is `depth` deep in the message.
  private mutating func value(depth: Int) throws -> JSONValue {
    guard depth <= JSONValue.maximumDepth else { throw Failure.tooDeep }
    switch next() {
    case UInt8(ascii: "{"):
      var object: [String: JSONValue] = [:]
      try members { reader, name in object[name] = try reader.value(depth: depth + 1) }
      return .object(object)
    case UInt8(ascii: "["):
      _ = take("[")
      if take("]") { return .array([]) }
      var array: [JSONValue] = []
      repeat { array.append(try value(depth: depth + 1)) } while take(",")
      try expect("]")
      return .array(array)
    default: return JSONValue(try scalar())
    }
  }
}

extension JSONValue {
  fileprivate init(_ scalar: JSONReader.Scalar) {
    self =
      switch scalar {
      case .null: .null
      case .bool(let value): .bool(value)
      case .integer(let value): .integer(value)
      case .number(let value): .number(value)
      case .string(let value): .string(value)
      }
  }
}
