/// The parameters of a query (`application/x-www-form-urlencoded`), read strictly: what two programs could read in
/// different ways is no query.
public enum HTTPQuery {
  /// The parameters by name; `nil` if an escape is none, a text is not UTF-8, has control characters, or a name comes twice.
  public static func parameters(_ query: String) -> [String: String]? {
    var parameters: [String: String] = [:]
    for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0]), let value = parts.count == 2 ? decoded(parts[1]) : "",
        parameters.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return parameters
  }

  private static func decoded(_ text: Substring.UTF8View.SubSequence) -> String? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
