/// The 96-bit transaction ID of a STUN message (RFC 8489 section 5).
public struct STUNTransactionID: Hashable, Sendable {
  /// The first 4 bytes in network order.
  public var high: UInt32
  /// The last 8 bytes in network order.
  public var low: UInt64

  /// Makes an ID from its two parts; requests need unpredictable ones.
  public init(high: UInt32, low: UInt64) {
    self.high = high
    self.low = low
  }
}
