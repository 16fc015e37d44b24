extension OutputRawSpan {
  /// Appends two bytes in network order; traps without room, so check `freeCapacity` first.
  @inlinable @_lifetime(self: copy self)
  public mutating func appendBigEndian(_ value: UInt16) { append(value.bigEndian, as: UInt16.self) }

  /// Appends the low three bytes of `value` in network order.
  @inlinable @_lifetime(self: copy self)
  public mutating func appendBigEndian24(_ value: UInt32) {
    append(UInt8(truncatingIfNeeded: value &>> 16))
    appendBigEndian(UInt16(truncatingIfNeeded: value))
  }

  /// Appends four bytes in network order.
  @inlinable @_lifetime(self: copy self)
  public mutating func appendBigEndian(_ value: UInt32) { append(value.bigEndian, as: UInt32.self) }

  /// Appends eight bytes in network order.
  @inlinable @_lifetime(self: copy self)
  public mutating func appendBigEndian(_ value: UInt64) { append(value.bigEndian, as: UInt64.self) }

  /// Appends a copy of `bytes`.
  @_lifetime(self: copy self)
  public mutating func append(contentsOf bytes: RawSpan) {
    bytes.withUnsafeBytes { source in
      withUnsafeMutableBytes { buffer, count in
        UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + source.count]).copyMemory(from: source)
        count += source.count
      }
    }
  }
}
