/// Cuts the bytes of a stream into datagrams: each stands behind its length in two bytes (RFC 4571 section 2). What makes
/// RTP, RTCP, STUN and DTLS one-to-one the same over TCP as over UDP (RFC 6544 section 10.1).
public struct StreamDeframer: Sendable {
  /// No datagram may be longer; what says it is does not speak this framing.
  public static let maximumByteCount = 2_048
  /// Bytes of the length before each datagram.
  public static let prefixByteCount = 2

  /// The other side does not speak this framing; the stream cannot be used any more.
  public struct FramingError: Error, Hashable, Sendable {
    /// The length that it announced.
    public var byteCount: Int
  }

  /// The beginning of a datagram whose end has not come, with its length.
  private var beginning: [UInt8] = []

  /// Makes a deframer at the start of a stream.
  public init() {}

  /// Takes the next bytes of the stream and calls `body` with each datagram that they complete, in order. The datagrams
  /// may be written to and are valid during the call only; empty ones are left out (section 2: they carry nothing).
  ///
  /// - Throws: if a datagram is announced that is too long; those before it have been handed out.
  public mutating func receive(
    _ bytes: UnsafeMutableRawBufferPointer, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(FramingError) {
    var offset = try finishBeginning(bytes, body)
    while offset + Self.prefixByteCount <= bytes.count {
      let count = try Self.length(bytes[offset], bytes[offset + 1])
      let end = offset + Self.prefixByteCount + count
      guard end <= bytes.count else { break }
      if count > 0 { body(UnsafeMutableRawBufferPointer(rebasing: bytes[offset + Self.prefixByteCount..<end])) }
      offset = end
    }
    guard offset < bytes.count else { return }
    beginning.append(contentsOf: bytes[offset...])
  }

  /// Adds to a datagram whose beginning came before, and hands it out once it is whole. Returns how many bytes that took.
  private mutating func finishBeginning(
    _ bytes: UnsafeMutableRawBufferPointer, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(FramingError) -> Int {
    guard !beginning.isEmpty else { return 0 }
    var taken = 0
    while beginning.count < Self.prefixByteCount, taken < bytes.count {
      beginning.append(bytes[taken])
      taken += 1
    }
    guard beginning.count >= Self.prefixByteCount else { return taken }
    let whole = Self.prefixByteCount + (try Self.length(beginning[0], beginning[1]))
    let part = min(max(0, whole - beginning.count), bytes.count - taken)
    beginning.append(contentsOf: bytes[taken..<taken + part])
    taken += part
    guard beginning.count == whole else { return taken }
    if whole > Self.prefixByteCount {
      beginning.withUnsafeMutableBytes {
        body(UnsafeMutableRawBufferPointer(rebasing: $0[Self.prefixByteCount...]))
      }
    }
    beginning.removeAll(keepingCapacity: true)
    return taken
  }

  private static func length(_ high: UInt8, _ low: UInt8) throws(FramingError) -> Int {
    let count = Int(high) &<< 8 | Int(low)
    guard count <= maximumByteCount else { throw FramingError(byteCount: count) }
    return count
  }
}
