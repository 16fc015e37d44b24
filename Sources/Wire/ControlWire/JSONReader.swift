/// Reads a JSON text (RFC 8259) from its beginning to its end, each byte a fixed number of times: what reading takes grows
/// with the text's length alone, whatever is in it. Messages come from strangers.
///
/// The two sides of a call and the server between them read messages by this one reader, so that all three take a text for the
/// same message, or none does.
package struct JSONReader {
  package enum Failure: Error { case malformed, tooDeep, notExpected }

  /// A value that contains no others.
  package enum Scalar {
    case null
    case bool(Bool)
    /// A whole number that fits into 64 bits.
    case integer(Int64)
    /// Any other number that is finite.
    case number(Double)
    case string(String)
  }

  private let bytes: [UInt8]
  private var position = 0
  /// How often a byte has been looked at.
  package private(set) var lookCount = 0

  package init(_ text: String) { bytes = Array(text.utf8) }

  // MARK: Members

  /// Where the values of an object's members are, which must be all that the text is: of those that `key` knows the name of. Of
  /// members that come twice the last counts, whatever the others are.
  package mutating func places<Key: Hashable>(_ key: (String) -> Key?) throws -> [Key: Int] {
    var places: [Key: Int] = [:]
    try members { reader, name in
      let place = try reader.skip()
      if let key = key(name) { places[key] = place }
    }
    if next() != nil { throw Failure.malformed }
    return places
  }

  /// Reads the value at a place; `nil` without one.
  package mutating func read<Value>(
    at place: Int?, _ body: (inout JSONReader) throws -> Value?
  ) throws -> Value? {
    guard let place else { return nil }
    position = place
    return try body(&self)
  }

  // MARK: Values that are expected

  /// Calls `body` with the name of each member of an object; it has to read or skip the value.
  package mutating func members(_ body: (inout JSONReader, String) throws -> Void) throws {
    try expect("{")
    if take("}") { return }
    repeat {
      let name = try name()
      try body(&self, name)
    } while take(",")
    try expect("}")
  }

  /// A text, or `nil` for null.
  package mutating func text() throws -> String? {
    switch next() {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "n"):
      try literal("null")
      return nil
    default: throw Failure.notExpected
    }
  }

  /// A text; `nil` for any other value.
  package mutating func textIfAny() throws -> String? {
    if next() == UInt8(ascii: "\"") { return try string() }
    _ = try skip()
    return nil
  }

  /// A whole number, or `nil` for null. It may have a fraction or an exponent, as 1.7e12 has.
  package mutating func integer<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws -> Number? {
    if next() == UInt8(ascii: "n") {
      try literal("null")
      return nil
    }
    let (digits, isPlain) = try number()
    let number = isPlain ? Number(digits) : Double(digits).flatMap { Number(exactly: $0) }
    guard let number else { throw Failure.notExpected }
    return number
  }

  /// Passes over a value, which may be nested as deep as it likes; returns where it is.
  mutating func skip() throws -> Int {
    let place = position
    /// What ends the arrays and objects that have begun.
    var closers: [UInt8] = []
    while true {
      if take("{") {
        if !take("}") {
          closers.append(UInt8(ascii: "}"))
          _ = try name()
          continue
        }
      } else if take("[") {
        if !take("]") {
          closers.append(UInt8(ascii: "]"))
          continue
        }
      } else {
        try skipScalar()
      }
      while let closer = closers.last, next() == closer {
        position += 1
        closers.removeLast()
      }
      guard let closer = closers.last else { return place }
      try expect(",")
      if closer == UInt8(ascii: "}") { _ = try name() }
    }
  }

  /// Passes over a value without others in it. Nobody cares how large a number is that nobody reads.
  private mutating func skipScalar() throws {
    guard let byte = next(), byte == UInt8(ascii: "-") || Self.digits.contains(byte) else {
      _ = try scalar()
      return
    }
    _ = try number()
  }

  /// A value that is neither an array nor an object.
  package mutating func scalar() throws -> Scalar {
    switch next() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    case UInt8(ascii: "t"):
      try literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .bool(false)
    default:
      let (digits, isPlain) = try number()
      if isPlain, let whole = Int64(digits) { return .integer(whole) }
      guard let number = Double(digits), number.isFinite else { throw Failure.malformed }
      return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }
  }

  // MARK: Bytes

  /// The byte at the position.
  private mutating func peek() -> UInt8? {
    lookCount += 1
    return position < bytes.count ? bytes[position] : nil
  }

  /// The next byte that is no space, at the position then.
  package mutating func next() -> UInt8? {
    while let byte = peek() {
      guard [0x20, 0x0A, 0x0D, 0x09].contains(byte) else { return byte }
      position += 1
    }
    return nil
  }

  /// Passes over `byte` if that is next.
  package mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  package mutating func expect(_ byte: Unicode.Scalar) throws {
    guard take(byte) else { throw Failure.malformed }
  }

  private mutating func literal(_ word: StaticString) throws {
    for index in 0..<word.utf8CodeUnitCount {
      guard peek() == word.utf8Start[index] else { throw Failure.malformed }
      position += 1
    }
  }

  private mutating func name() throws -> String {
    guard next() == UInt8(ascii: "\"") else { throw Failure.malformed }
    let name = try string()
    try expect(":")
    return name
  }

  /// A number's digits, and whether it has neither fraction nor exponent.
  private mutating func number() throws -> (String, isPlain: Bool) {
    let start = position
    var isPlain = true
    if peek() == UInt8(ascii: "-") { position += 1 }
    if peek() == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if peek() == UInt8(ascii: ".") {
      isPlain = false
      position += 1
      try digits()
    }
    if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
      isPlain = false
      position += 1
      if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return (String(decoding: bytes[start..<position], as: UTF8.self), isPlain)
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private mutating func digits() throws {
    let start = position
    while let byte = peek(), Self.digits.contains(byte) { position += 1 }
    guard position > start else { throw Failure.malformed }
  }

  /// A text whose quotation mark is next.
  private mutating func string() throws -> String {
    position += 1
    var text = ""
    var start = position
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        text += String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        return text
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        text.unicodeScalars.append(try escaped())
        start = position
      case 0..<0x20: throw Failure.malformed
      default: position += 1
      }
    }
    throw Failure.malformed
  }

  /// What is written with a backslash, which has been passed.
  private mutating func escaped() throws -> Unicode.Scalar {
    let byte = peek()
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw Failure.malformed
    }
    let first = try codeUnit()
    guard (0xD800..<0xDC00).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw Failure.malformed }
      return scalar
    }
    // Half of a character: the other half has to follow.
    try literal("\\u")
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw Failure.malformed }
    return scalar
  }

  private mutating func codeUnit() throws -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else { throw Failure.malformed }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
