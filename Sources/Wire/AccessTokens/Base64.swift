/// Base64 (RFC 4648 section 4) with padding; strict, so that a text has one meaning and a meaning one text.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let count = min(3, bytes.count - position)
      var value: UInt32 = 0
      for offset in 0..<3 { value = value &<< 8 | (offset < count ? UInt32(bytes[position + offset]) : 0) }
      for digit in 0..<4 {
        result.append(digit <= count ? alphabet[Int(value &>> (18 - 6 * UInt32(digit)) & 63)] : padding)
      }
      position += 3
    }
    return String(decoding: result, as: UTF8.self)
  }

  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let digits = text.count - text.reversed().prefix { $0 == padding }.count
    guard text.count - digits <= 2 else { return nil }
    var result: [UInt8] = []
    var value: UInt32 = 0
    var bits: UInt32 = 0
    for byte in text.prefix(digits) {
      guard let digit = Self.value(of: byte) else { return nil }
      value = value &<< 6 | digit
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: value &>> bits))
        value &= 1 &<< bits &- 1
      }
    }
    // Bits that no byte takes are zero (section 3.5).
    return value == 0 ? result : nil
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
