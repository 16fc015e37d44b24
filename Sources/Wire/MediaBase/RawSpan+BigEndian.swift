extension RawSpan {
  /// The byte at `offset`. The caller has checked that it is inside: this traps otherwise.
  @inlinable public func uint8(at offset: Int) -> UInt8 {
    unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// Two bytes in network order. The caller has checked the bounds.
  @inlinable public func uint16(at offset: Int) -> UInt16 {
    UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// Three bytes in network order. The caller has checked the bounds.
  @inlinable public func uint24(at offset: Int) -> UInt32 {
    UInt32(uint8(at: offset)) &<< 16 | UInt32(uint16(at: offset &+ 1))
  }

  /// Four bytes in network order. The caller has checked the bounds.
  @inlinable public func uint32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Eight bytes in network order. The caller has checked the bounds.
  @inlinable public func uint64(at offset: Int) -> UInt64 {
    UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// A copy of the bytes in `range`, which the caller has checked.
  public func copy(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      extracting(range).withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
      }
      count = range.count
    }
  }
}
