/// Writes the fields of a token: little-endian numbers, and texts with their length before them.
struct TokenWriter {
  private(set) var bytes: [UInt8] = []

  static func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value &>> (8 * UInt32($0))) }
  }

  mutating func append(_ value: UInt16) {
    bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value &>> 8)]
  }

  mutating func append(_ value: UInt32) { bytes += Self.littleEndian(value) }

  mutating func append(_ data: [UInt8]) throws(AccessTokenError) {
    guard let count = UInt16(exactly: data.count) else { throw .tooLong }
    append(count)
    bytes += data
  }

  mutating func append(_ text: String) throws(AccessTokenError) { try append(Array(text.utf8)) }

  mutating func append(privileges: [(id: UInt16, expiry: UInt32)]) {
    append(UInt16(truncatingIfNeeded: privileges.count))
    for privilege in privileges.sorted(by: { $0.id < $1.id }) {
      append(privilege.id)
      append(privilege.expiry)
    }
  }
}
