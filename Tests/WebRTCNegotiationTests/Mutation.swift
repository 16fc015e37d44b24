import MediaBase

/// Texts with some bytes or lines changed.
enum Mutation {
  static func of(_ text: String, _ random: inout SeededRandom) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int(random.next() % 6) + 1 where !bytes.isEmpty {
      let place = Int(random.next() % UInt64(bytes.count))
      switch random.next() % 5 {
      case 0: bytes[place] ^= 1 << UInt8(random.next() % 8)
      case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: bytes.removeSubrange(place..<min(place + Int(random.next() % 60) + 1, bytes.count))
      case 3: bytes.insert(contentsOf: bytes[place...].prefix(Int(random.next() % 200)), at: place)
      default: bytes = Array(bytes.prefix(place + bytes.count / 2))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
