/// Masking of clients' frames (RFC 6455 section 5.3). Doing it twice undoes it.
public enum WebSocketMask {
  /// Masks or unmasks `bytes`, the content of a frame from byte `offset` on.
  ///
  /// - Parameter key: its first byte on the wire the highest.
  public static func apply(_ key: UInt32, to bytes: UnsafeMutableRawBufferPointer, offset: Int = 0) {
    guard key != 0 else { return }
    let shift = UInt32(8 * (offset & 3))
    let rotated = shift == 0 ? key : key &<< shift | key &>> (32 - shift)
    let word = UInt64(rotated.bigEndian) &<< 32 | UInt64(rotated.bigEndian)
    var index = 0
    while index &+ 8 <= bytes.count {
      let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
      bytes.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < bytes.count {
      bytes[index] ^= UInt8(truncatingIfNeeded: rotated &>> UInt32(24 - 8 * (index & 3)))
      index &+= 1
    }
  }
}
