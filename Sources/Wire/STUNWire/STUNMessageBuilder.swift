import MediaBase

/// Builds a STUN message: attributes in the order of the calls, then `addMessageIntegrity`, then `addFingerprint`.
///
/// An attribute that would make the message longer than its length field can tell is left out.
public struct STUNMessageBuilder: Sendable {
  private var bytes: [UInt8] = []
  private var transactionID: STUNTransactionID

  /// The size of the message so far, in bytes.
  public var byteCount: Int { bytes.count }

  /// Starts a message.
  public init(
    _ messageClass: STUNMessageClass, method: UInt16 = STUNMessage.bindingMethod, transactionID: STUNTransactionID
  ) {
    self.transactionID = transactionID
    bytes.reserveCapacity(128)
    start(messageClass, method)
  }

  /// Starts another message, in the memory of this one.
  public mutating func restart(
    _ messageClass: STUNMessageClass, method: UInt16 = STUNMessage.bindingMethod, transactionID: STUNTransactionID
  ) {
    self.transactionID = transactionID
    bytes.removeAll(keepingCapacity: true)
    start(messageClass, method)
  }

  private mutating func start(_ messageClass: STUNMessageClass, _ method: UInt16) {
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

  /// Adds an attribute of `byteCount` bytes, which `write` appends.
  private mutating func add(_ type: UInt16, byteCount: Int, _ write: (inout Self) -> Void) {
    guard bytes.count &+ byteCount < 65_500 else { return }
    append(type)
    append(UInt16(truncatingIfNeeded: byteCount))
    write(&self)
    while bytes.count & 3 != 0 { bytes.append(0) }
    setLength(bytes.count &- 20)
  }

  /// Adds USERNAME, at most 513 bytes of UTF-8.
  public mutating func add(username: String) {
    add(STUNAttributeType.username, byteCount: username.utf8.count) { $0.bytes.append(contentsOf: username.utf8) }
  }

  /// Adds PRIORITY.
  public mutating func add(priority: UInt32) {
    add(STUNAttributeType.priority, byteCount: 4) { $0.append(priority) }
  }

  /// Adds USE-CANDIDATE.
  public mutating func addUseCandidate() { add(STUNAttributeType.useCandidate, byteCount: 0) { _ in } }

  /// Adds ICE-CONTROLLED with its tie breaker.
  public mutating func add(iceControlled: UInt64) {
    add(STUNAttributeType.iceControlled, byteCount: 8) { $0.append(iceControlled) }
  }

  /// Adds ICE-CONTROLLING with its tie breaker.
  public mutating func add(iceControlling: UInt64) {
    add(STUNAttributeType.iceControlling, byteCount: 8) { $0.append(iceControlling) }
  }

  /// Adds XOR-MAPPED-ADDRESS.
  public mutating func add(xorMappedAddress address: TransportAddress) {
    let isIPv4 = address.family == .ipv4
    let id = transactionID
    add(STUNAttributeType.xorMappedAddress, byteCount: isIPv4 ? 8 : 20) {
      $0.append(UInt16(isIPv4 ? 1 : 2))
      $0.append(address.port ^ UInt16(truncatingIfNeeded: stunMagicCookie &>> 16))
      if isIPv4 {
        $0.append(UInt32(truncatingIfNeeded: address.low) ^ stunMagicCookie)
      } else {
        $0.append(address.high ^ (UInt64(stunMagicCookie) &<< 32 | UInt64(id.high)))
        $0.append(address.low ^ id.low)
      }
    }
  }

  /// Adds ERROR-CODE.
  public mutating func add(errorCode: STUNErrorCode) {
    add(STUNAttributeType.errorCode, byteCount: 4 + errorCode.reason.utf8.count) {
      $0.append(UInt16(0))
      $0.append((errorCode.code / 100) &<< 8 | errorCode.code % 100)
      $0.bytes.append(contentsOf: errorCode.reason.utf8)
    }
  }

  /// Adds UNKNOWN-ATTRIBUTES.
  public mutating func add(unknownAttributes types: [UInt16]) {
    add(STUNAttributeType.unknownAttributes, byteCount: 2 * types.count) { for type in types { $0.append(type) } }
  }

  /// Adds MESSAGE-INTEGRITY over everything so far; leaves it out if it cannot be computed, and then nobody accepts the
  /// message.
  public mutating func addMessageIntegrity(password: String, hmacSHA1: STUNHMACSHA1) {
    setLength(bytes.count &+ 4)
    let isDone = withUnsafeTemporaryAllocation(byteCount: messageIntegrityByteCount, alignment: 8) { digest in
      let isDone = bytes.withUnsafeBytes {
        computeMessageIntegrity(of: $0, password: password, into: digest, hmacSHA1: hmacSHA1)
      }
      if isDone {
        add(STUNAttributeType.messageIntegrity, byteCount: digest.count) { $0.bytes.append(contentsOf: digest) }
      }
      return isDone
    }
    if !isDone { setLength(bytes.count &- 20) }
  }

  /// Adds FINGERPRINT; nothing may follow.
  public mutating func addFingerprint() {
    setLength(bytes.count &- 12)
    let value = fingerprint(of: bytes.span.bytes)
    add(STUNAttributeType.fingerprint, byteCount: 4) { $0.append(value) }
  }

  /// Appends the message to `output`; returns `false`, and writes nothing, without room for all of it.
  @_lifetime(output: copy output)
  public func write(into output: inout OutputRawSpan) -> Bool {
    guard output.freeCapacity >= bytes.count else { return false }
    output.append(contentsOf: bytes.span.bytes)
    return true
  }
}
