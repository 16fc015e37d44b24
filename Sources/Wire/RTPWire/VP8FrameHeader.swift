import MediaBase

/// The uncompressed start of a VP8 picture (RFC 6386 section 9.1).
public struct VP8FrameHeader: Hashable, Sendable {
  /// Whether decoding can start here.
  public let isKeyFrame: Bool
  /// Width in pixels of a key frame; 0 for others.
  public let width: Int
  /// Height in pixels of a key frame; 0 for others.
  public let height: Int

  /// Reads the first bytes of a picture's first partition: 3, and 10 of a key frame.
  public init(parsing bytes: RawSpan) throws(RTPParseError) {
    guard bytes.byteCount >= 3 else { throw .truncated }
    isKeyFrame = bytes.uint8(at: 0) & 1 == 0
    guard isKeyFrame else {
      width = 0
      height = 0
      return
    }
    guard bytes.byteCount >= 10 else { throw .truncated }
    guard bytes.uint24(at: 3) == 0x9D012A else { throw .invalidField }
    // The two sizes are little-endian, with the upscaling hint in the top two bits.
    width = Int(bytes.uint16(at: 6).byteSwapped & 0x3FFF)
    height = Int(bytes.uint16(at: 8).byteSwapped & 0x3FFF)
  }
}
