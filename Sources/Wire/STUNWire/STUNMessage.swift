import MediaBase

/// A parsed STUN message with the attributes that ICE uses (RFC 8489, RFC 8445 section 7.1).
///
/// The first attribute of a type counts. What follows MESSAGE-INTEGRITY is not protected and is ignored, except
/// FINGERPRINT, which is checked while parsing.
public struct STUNMessage: Sendable {
  /// The method of Binding requests and responses.
  public static let bindingMethod: UInt16 = 1

  /// Request, indication or response.
  public private(set) var messageClass: STUNMessageClass
  /// The 12-bit method.
  public private(set) var method: UInt16
  /// Pairs a response with its request.
  public private(set) var transactionID: STUNTransactionID
  /// Where the text of USERNAME lies in the datagram.
  public private(set) var usernameRange: Range<Int>?
  /// PRIORITY.
  public private(set) var priority: UInt32?
  /// Whether USE-CANDIDATE is there.
  public private(set) var useCandidate = false
  /// The tie breaker of ICE-CONTROLLED.
  public private(set) var iceControlled: UInt64?
  /// The tie breaker of ICE-CONTROLLING.
  public private(set) var iceControlling: UInt64?
  /// XOR-MAPPED-ADDRESS, decoded.
  public private(set) var xorMappedAddress: TransportAddress?
  /// ERROR-CODE.
  public private(set) var errorCode: STUNErrorCode?
  /// The types that UNKNOWN-ATTRIBUTES lists.
  public private(set) var unknownAttributes: [UInt16] = []
  /// Types of comprehension-required attributes in this message that are not known here: a request with any of them is
  /// answered with error 420 (RFC 8489 section 6.3.1).
  public private(set) var unknownRequiredAttributes: [UInt16] = []
  /// Whether a FINGERPRINT is there; it matches.
  public private(set) var hasFingerprint = false
  private var integrityOffset: Int?

  /// Whether a MESSAGE-INTEGRITY is there; `verifyIntegrity` checks it.
  public var hasMessageIntegrity: Bool { integrityOffset != nil }

  /// Parses the datagram `bytes`.
  public init(parsing bytes: RawSpan) throws(STUNParseError) {
    guard bytes.byteCount >= 20 else { throw .truncated }
    let type = bytes.uint16(at: 0)
    guard type & 0xC000 == 0, bytes.uint32(at: 4) == stunMagicCookie else { throw .notSTUN }
    let length = Int(bytes.uint16(at: 2))
    guard length & 3 == 0, length &+ 20 == bytes.byteCount else { throw .lengthMismatch }
    let classBits = UInt8(truncatingIfNeeded: type &>> 7 & 2 | type &>> 4 & 1)
    guard let messageClass = STUNMessageClass(rawValue: classBits) else { throw .notSTUN }
    self.messageClass = messageClass
    method = type & 0xF | type &>> 1 & 0x70 | type &>> 2 & 0xF80
    transactionID = STUNTransactionID(high: bytes.uint32(at: 8), low: bytes.uint64(at: 12))
    var offset = 20
    while offset < bytes.byteCount {
      // Every offset is a multiple of 4 and so is the size: the attribute header is always inside.
      let attribute = bytes.uint16(at: offset)
      let start = offset &+ 4
      let end = start &+ Int(bytes.uint16(at: offset &+ 2))
      let next = (end &+ 3) & ~3
      guard next <= bytes.byteCount else { throw .malformedAttribute(attribute) }
      if attribute == STUNAttributeType.fingerprint {
        guard end &- start == 4, next == bytes.byteCount,
          bytes.uint32(at: start) == fingerprint(of: bytes.extracting(0..<offset))
        else { throw .badFingerprint }
        hasFingerprint = true
      } else if attribute == STUNAttributeType.messageIntegrity {
        guard end &- start == 20 else { throw .malformedAttribute(attribute) }
        if integrityOffset == nil { integrityOffset = offset }
      } else if integrityOffset == nil {
        try read(attribute, bytes, start..<end)
      }
      offset = next
    }
  }

  private mutating func read(_ type: UInt16, _ bytes: RawSpan, _ range: Range<Int>) throws(STUNParseError) {
    let start = range.lowerBound
    func require(_ condition: Bool) throws(STUNParseError) {
      if !condition { throw .malformedAttribute(type) }
    }
    switch type {
    case STUNAttributeType.username:
      try require(range.count <= 513 && bytes.isText(range))
      usernameRange = usernameRange ?? range
    case STUNAttributeType.priority:
      try require(range.count == 4)
      priority = priority ?? bytes.uint32(at: start)
    case STUNAttributeType.useCandidate:
      try require(range.isEmpty)
      useCandidate = true
    case STUNAttributeType.iceControlled:
      try require(range.count == 8)
      iceControlled = iceControlled ?? bytes.uint64(at: start)
    case STUNAttributeType.iceControlling:
      try require(range.count == 8)
      iceControlling = iceControlling ?? bytes.uint64(at: start)
    case STUNAttributeType.xorMappedAddress:
      let address = Self.address(bytes, range, transactionID)
      try require(address != nil)
      xorMappedAddress = xorMappedAddress ?? address
    case STUNAttributeType.errorCode:
      try require(range.count >= 4)
      let hundreds = UInt16(bytes.uint8(at: start &+ 2) & 7)
      let number = UInt16(bytes.uint8(at: start &+ 3))
      try require((3...6).contains(hundreds) && number < 100)
      let reason = String(decoding: bytes.copy(start &+ 4..<range.upperBound), as: UTF8.self)
      errorCode = errorCode ?? STUNErrorCode(code: hundreds &* 100 &+ number, reason: reason)
    case STUNAttributeType.unknownAttributes:
      try require(range.count & 1 == 0)
      for offset in stride(from: start, to: range.upperBound, by: 2) {
        unknownAttributes.append(bytes.uint16(at: offset))
      }
    default:
      if type < 0x8000 { unknownRequiredAttributes.append(type) }
    }
  }

  /// XOR-MAPPED-ADDRESS (RFC 8489 section 14.2).
  private static func address(_ bytes: RawSpan, _ range: Range<Int>, _ id: STUNTransactionID) -> TransportAddress? {
    guard range.count >= 8 else { return nil }
    let start = range.lowerBound
    let port = bytes.uint16(at: start &+ 2) ^ UInt16(truncatingIfNeeded: stunMagicCookie &>> 16)
    switch (bytes.uint8(at: start &+ 1), range.count) {
    case (1, 8):
      return TransportAddress(ipv4: bytes.uint32(at: start &+ 4) ^ stunMagicCookie, port: port)
    case (2, 20):
      let mask = UInt64(stunMagicCookie) &<< 32 | UInt64(id.high)
      return TransportAddress(
        ipv6High: bytes.uint64(at: start &+ 4) ^ mask, low: bytes.uint64(at: start &+ 12) ^ id.low, port: port)
    default: return nil
    }
  }

  /// USERNAME. `bytes` is the datagram that was parsed.
  public func username(in bytes: RawSpan) -> String? {
    usernameRange.flatMap { String(validating: bytes.copy($0), as: UTF8.self) }
  }

  /// Whether MESSAGE-INTEGRITY is there and right for `password` (RFC 8489 section 14.5). `bytes` is the datagram that
  /// was parsed.
  public func verifyIntegrity(of bytes: RawSpan, password: String, hmacSHA1: STUNHMACSHA1) -> Bool {
    guard let offset = integrityOffset, offset &+ 24 <= bytes.byteCount else { return false }
    return withUnsafeTemporaryAllocation(byteCount: offset &+ messageIntegrityByteCount, alignment: 8) { memory in
      let message = UnsafeMutableRawBufferPointer(rebasing: memory[..<offset])
      let expected = UnsafeMutableRawBufferPointer(rebasing: memory[offset...])
      bytes.withUnsafeBytes { message.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<offset])) }
      // The length field counts up to the end of MESSAGE-INTEGRITY, without what follows it.
      message.storeBytes(of: UInt16(truncatingIfNeeded: offset &+ 4).bigEndian, toByteOffset: 2, as: UInt16.self)
      guard
        computeMessageIntegrity(
          of: UnsafeRawBufferPointer(message), password: password, into: expected, hmacSHA1: hmacSHA1)
      else { return false }
      // All bytes are compared, so that the time does not tell how many are right.
      var difference: UInt8 = 0
      for index in 0..<messageIntegrityByteCount {
        difference |= expected[index] ^ bytes.uint8(at: offset &+ 4 &+ index)
      }
      return difference == 0
    }
  }
}
