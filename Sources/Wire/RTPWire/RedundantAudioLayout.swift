import MediaBase

/// Where the parts of a payload of redundant audio lie (RFC 2198): the packet's own encoding, and earlier ones again.
public struct RedundantAudioLayout: BitwiseCopyable, Sendable {
  /// An encoding that an earlier packet has brought, or should have.
  public struct Block: Hashable, Sendable {
    /// What it is encoded with.
    public var payloadType: UInt8
    /// How much earlier than the packet it was sampled, in units of the clock; 0 to 16,383.
    public var timestampOffset: UInt32
    /// Where its bytes lie in the payload; may be empty.
    public var range: Range<Int>
  }

  /// More blocks than anybody sends.
  private static let maximumBlockCount = 32

  /// What the packet's own encoding is encoded with.
  public let primaryPayloadType: UInt8
  /// Where the packet's own encoding begins in the payload; it goes on to the end and may be empty.
  public let primaryOffset: Int
  /// How many earlier encodings there are.
  public let redundantBlockCount: Int

  /// Reads the block headers (section 3) and holds their lengths against the payload's.
  public init(parsing payload: RawSpan) throws(RTPParseError) {
    var position = 0
    var count = 0
    var bodyLength = 0
    while true {
      guard position < payload.byteCount else { throw .truncated }
      let first = payload.uint8(at: position)
      guard first & 0x80 != 0 else { break }
      guard position + 4 <= payload.byteCount else { throw .truncated }
      guard count < Self.maximumBlockCount else { throw .invalidField }
      bodyLength += Int(payload.uint16(at: position + 2) & 0x03FF)
      count += 1
      position += 4
    }
    let primary = position + 1 + bodyLength
    guard primary <= payload.byteCount else { throw .truncated }
    primaryPayloadType = payload.uint8(at: position) & 0x7F
    primaryOffset = primary
    redundantBlockCount = count
  }

  /// Earlier encoding `number`, 0 for the one just before the packet's own, in the payload that this was read from.
  public func redundantBlock(_ number: Int, in payload: RawSpan) -> Block? {
    guard number >= 0, number < redundantBlockCount, payload.byteCount >= primaryOffset else { return nil }
    // They stand oldest first.
    let wanted = redundantBlockCount - 1 - number
    var start = redundantBlockCount * 4 + 1
    for block in 0..<wanted { start += Int(payload.uint16(at: block * 4 + 2) & 0x03FF) }
    let header = payload.uint32(at: wanted * 4)
    let end = start + Int(header & 0x03FF)
    guard end <= primaryOffset else { return nil }
    return Block(
      payloadType: UInt8(truncatingIfNeeded: header &>> 24) & 0x7F, timestampOffset: header &>> 10 & 0x3FFF,
      range: start..<end)
  }
}
