/// The attribute types this library reads and writes (RFC 8489 section 18.3, RFC 8445 section 16.1).
enum STUNAttributeType {
  static let username: UInt16 = 0x0006
  static let messageIntegrity: UInt16 = 0x0008
  static let errorCode: UInt16 = 0x0009
  static let unknownAttributes: UInt16 = 0x000A
  static let xorMappedAddress: UInt16 = 0x0020
  static let priority: UInt16 = 0x0024
  static let useCandidate: UInt16 = 0x0025
  static let fingerprint: UInt16 = 0x8028
  static let iceControlled: UInt16 = 0x8029
  static let iceControlling: UInt16 = 0x802A
}

/// "Magic cookie" of every message (RFC 8489 section 5).
let stunMagicCookie: UInt32 = 0x2112_A442
