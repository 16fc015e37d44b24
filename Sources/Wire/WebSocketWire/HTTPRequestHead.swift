/// A request line and the header fields behind it (RFC 9112 sections 2 and 3), as far as opening a WebSocket needs them, and
/// handing over what else is asked for.
public struct HTTPRequestHead: Hashable, Sendable {
  /// A header field.
  public struct Field: Hashable, Sendable {
    /// In lower case.
    public var name: String
    /// Without the white space around it.
    public var value: String
  }

  /// `GET`, ...
  public var method: String
  /// The path with the query, or a whole address, as it stands in the request.
  public var target: String
  /// Whether this is HTTP/1.1.
  public var isHTTP11: Bool
  /// The fields, in order.
  public var fields: [Field]

  /// Most fields that are read.
  public static let maximumFieldCount = 100

  /// Where the head in `bytes` ends, behind its empty line; `nil` if that has not come.
  ///
  /// - Parameter offset: where to begin to look: how many bytes there were before, without an end in them.
  public static func end(in bytes: [UInt8], from offset: Int = 0) -> Int? {
    var index = max(0, offset - 3)
    while index < bytes.count {
      defer { index += 1 }
      guard bytes[index] == UInt8(ascii: "\n"), index + 1 < bytes.count else { continue }
      if bytes[index + 1] == UInt8(ascii: "\n") { return index + 2 }
      guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "\r"), bytes[index + 2] == UInt8(ascii: "\n")
      else {
        continue
      }
      return index + 3
    }
    return nil
  }

  /// Whether a head has more than `maximumFieldCount` fields.
  public static func hasTooManyFields(_ head: some Collection<UInt8>) -> Bool {
    // One line is the request's, and one is empty.
    head.lazy.filter { $0 == UInt8(ascii: "\n") }.count > maximumFieldCount + 2
  }

  /// Reads a head; `nil` if it is none.
  public init?(parsing bytes: some Collection<UInt8>) {
    // Values that are not UTF-8 are nothing that is asked for here.
    let text = String(decoding: bytes, as: UTF8.self)
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)[...]
    guard let first = lines.popFirst().map(Self.withoutReturn) else { return nil }
    let parts = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty,
      lines.count <= Self.maximumFieldCount + 1
    else { return nil }
    switch String(parts[2]) {
    case "HTTP/1.1": isHTTP11 = true
    case "HTTP/1.0": isHTTP11 = false
    default: return nil
    }
    (method, target, fields) = (String(Substring(parts[0])), String(Substring(parts[1])), [])
    for line in lines.map(Self.withoutReturn) where !line.isEmpty {
      guard let field = Self.field(line) else { return nil }
      fields.append(field)
    }
  }

  /// The path alone, as it stands in the request.
  public var path: Substring { target.prefix { $0 != "?" } }

  /// The value of a field that may be there once; `nil` if it is not, or more than once.
  public func onlyValue(_ name: String) -> String? {
    let values = fields.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Whether one of a field's values, separated by commas, is `token`, whatever its case.
  public func has(_ token: String, in name: String) -> Bool {
    fields.contains { field in
      field.name == name
        && field.value.utf8.split(separator: UInt8(ascii: ",")).contains {
          Self.lowercased(Self.trimmed($0)) == token
        }
    }
  }

  /// Why it cannot be said for sure how much content follows, as a sentence; `nil` if it can (RFC 9112 sections 6.1 to 6.3).
  ///
  /// Whatever two readers could take in two ways is refused, also what the RFC lets one repair: behind a proxy that reads
  /// it in another way, content would become a request.
  public var contentProblem: String? {
    let lengths = fields.filter { $0.name == "content-length" }
    let encodings = fields.filter { $0.name == "transfer-encoding" }
    if let encoding = encodings.first {
      guard lengths.isEmpty else { return "Send either Content-Length or Transfer-Encoding." }
      // libsoup knows it in lower case only.
      guard encodings.count == 1, isHTTP11, encoding.value == "chunked" else {
        return "The only Transfer-Encoding that is understood here is chunked, in HTTP/1.1."
      }
    }
    guard let length = lengths.first else { return nil }
    let digits = length.value.utf8
    guard lengths.count == 1, (1...Self.maximumLengthDigitCount).contains(digits.count),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return "Send one Content-Length, of digits only." }
    return nil
  }

  /// Why nobody can say what is asked for, as a sentence; `nil` if one can (RFC 9112 section 3.2).
  public var targetProblem: String? {
    let hostCount = fields.filter { $0.name == "host" }.count
    guard hostCount == 1 || (hostCount == 0 && !isHTTP11) else { return "Send one header field Host." }
    return target == "*" ? "Ask for a path: there is nothing to be said of the server as a whole." : nil
  }

  /// The length that the content is said to have; `nil` if none is said, or it cannot be told for sure.
  public var contentLength: Int? { contentProblem == nil ? onlyValue("content-length").flatMap { Int($0) } : nil }

  /// Every number of so many digits is within 64 bits.
  private static let maximumLengthDigitCount = 18

  private static func withoutReturn(_ line: Substring.UTF8View) -> Substring.UTF8View {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  private static func field(_ line: Substring.UTF8View) -> Field? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else { return nil }
    let name = line[..<colon]
    // Also no white space before the colon, which others would read in other ways (RFC 9112 section 5.1).
    guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let value = trimmed(line[line.index(after: colon)...])
    // Some take a return alone for the end of a line, and a zero for that of the text (RFC 9110 section 5.5).
    guard value.allSatisfy({ $0 != 0x0D && $0 != 0 }) else { return nil }
    return Field(name: lowercased(name), value: String(Substring(value)))
  }

  private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var rest = bytes.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return rest
  }

  private static func lowercased(_ bytes: Substring.UTF8View) -> String { String(Substring(bytes)).lowercased() }
}
