import MediaBase

/// Builds a STUN message: attributes in the order of the calls, then `addMessageIntegrity`, then `addFingerprint`.
///
/// An attribute that would make the message longer than its length field can tell is left out.
public struct STUNMessageBuilder: Sendable {
  private var bytes: [UInt8] = []
  private let transactionID: STUNTransactionID

  /// The size of the message so far, in bytes.
  public var byteCount: Int { bytes.count }

  /// Starts a message.
  public init(
    _ messageClass: STUNMessageClass, method: UInt16 = STUNMessage.bindingMethod, transactionID: STUNTransactionID
  ) {
    self.transactionID = transactionID
    bytes.reserveCapacity(128)
    let bits = UInt16(messageClass.rawValue)
    let classPart = (bits & 1) &<< 4 | (bits & 2) &<< 7
    append(classPart | method & 0xF | (method & 0x70) &<< 1 | (method & 0xF80) &<< 2)
    append(UInt16(0))
    append(stunMagicCookie)
    append(transactionID.high)
    append(transactionID.low)
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func setLength(_ length: Int) {
    bytes[2] = UInt8(truncatingIfNeeded: length &>> 8)
    bytes[3] = UInt8(truncatingIfNeeded: length)
  }

  private mutating func add(_ type: UInt16, _ value: [UInt8]) {
    guard bytes.count &+ value.count < 65_500 else { return }
    append(type)
    append(UInt16(truncatingIfNeeded: value.count))
    bytes.append(contentsOf: value)
    while bytes.count & 3 != 0 { bytes.append(0) }
    setLength(bytes.count &- 20)
  }

  private func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Adds USERNAME, at most 513 bytes of UTF-8.
  public mutating func add(username: String) { add(STUNAttributeType.username, Array(username.utf8)) }

  /// Adds PRIORITY.
  public mutating func add(priority: UInt32) { add(STUNAttributeType.priority, bigEndian(priority)) }

  /// Adds USE-CANDIDATE.
  public mutating func addUseCandidate() { add(STUNAttributeType.useCandidate, []) }

  /// Adds ICE-CONTROLLED with its tie breaker.
  public mutating func add(iceControlled: UInt64) { add(STUNAttributeType.iceControlled, bigEndian(iceControlled)) }

  /// Adds ICE-CONTROLLING with its tie breaker.
  public mutating func add(iceControlling: UInt64) { add(STUNAttributeType.iceControlling, bigEndian(iceControlling)) }

  /// Adds XOR-MAPPED-ADDRESS.
  public mutating func add(xorMappedAddress address: TransportAddress) {
    let isIPv4 = address.family == .ipv4
    var value: [UInt8] = [0, isIPv4 ? 1 : 2]
    value += bigEndian(address.port ^ UInt16(truncatingIfNeeded: stunMagicCookie &>> 16))
    if isIPv4 {
      value += bigEndian(UInt32(truncatingIfNeeded: address.low) ^ stunMagicCookie)
    } else {
      value += bigEndian(address.high ^ (UInt64(stunMagicCookie) &<< 32 | UInt64(transactionID.high)))
      value += bigEndian(address.low ^ transactionID.low)
    }
    add(STUNAttributeType.xorMappedAddress, value)
  }

  /// Adds ERROR-CODE.
  public mutating func add(errorCode: STUNErrorCode) {
    let hundreds = UInt8(truncatingIfNeeded: errorCode.code / 100)
    let number = UInt8(truncatingIfNeeded: errorCode.code % 100)
    add(STUNAttributeType.errorCode, [0, 0, hundreds, number] + Array(errorCode.reason.utf8))
  }

  /// Adds UNKNOWN-ATTRIBUTES.
  public mutating func add(unknownAttributes types: [UInt16]) {
    add(STUNAttributeType.unknownAttributes, types.flatMap { bigEndian($0) })
  }

  /// Adds MESSAGE-INTEGRITY over everything so far; leaves it out if it cannot be computed, and then nobody accepts the
  /// message.
  public mutating func addMessageIntegrity(password: String, hmacSHA1: STUNHMACSHA1) {
    setLength(bytes.count &+ 4)
    guard let digest = messageIntegrity(of: bytes, password: password, hmacSHA1: hmacSHA1) else {
      return setLength(bytes.count &- 20)
    }
    add(STUNAttributeType.messageIntegrity, digest)
  }

  /// Adds FINGERPRINT; nothing may follow.
  public mutating func addFingerprint() {
    setLength(bytes.count &- 12)
    let value = fingerprint(of: bytes.span.bytes)
    add(STUNAttributeType.fingerprint, bigEndian(value))
  }

  /// Appends the message to `output`; returns `false`, and writes nothing, without room for all of it.
  @_lifetime(output: copy output)
  public func write(into output: inout OutputRawSpan) -> Bool {
    guard output.freeCapacity >= bytes.count else { return false }
    output.append(contentsOf: bytes.span.bytes)
    return true
  }
}
