/// Turns 16-bit sequence numbers that wrap into 64-bit indices that do not (RFC 3711 section 3.3.1, the rule of 2^15).
public struct SequenceUnwrapper: Sendable {
  /// The highest index seen; `nil` before the first.
  public private(set) var highest: Int64?

  /// Makes an unwrapper that has seen nothing.
  @inlinable public init() {}

  /// The index nearest to the highest one seen, and remembers it if it is higher.
  public mutating func unwrap(_ sequenceNumber: UInt16) -> Int64 {
    let index = peek(sequenceNumber)
    if index > highest ?? .min { highest = index }
    return index
  }

  /// What `unwrap` would return, without remembering it. Indices start at 2^16 + the first number, so that packets from
  /// before the first one have non-negative indices too.
  public func peek(_ sequenceNumber: UInt16) -> Int64 {
    guard let highest else { return 65_536 + Int64(sequenceNumber) }
    let difference = Int16(bitPattern: sequenceNumber &- UInt16(truncatingIfNeeded: highest))
    return highest + Int64(difference)
  }
}
