import MediaBase

/// The uncompressed start of a VP8 picture (RFC 6386 section 9.1).
///
/// A key frame that is encrypted between the ends has another start code, so that no decoder takes what follows for a
/// picture; its size is there as ever.
public struct VP8FrameHeader: Hashable, Sendable {
  /// The start code of key frames.
  public static let startCode: UInt32 = 0x9D012A
  /// The start code of key frames that are encrypted between the ends: "SF1".
  public static let encryptedStartCode: UInt32 = 0x534631

  /// Whether decoding can start here.
  public let isKeyFrame: Bool
  /// Width in pixels of a key frame; 0 for others.
  public let width: Int
  /// Height in pixels of a key frame; 0 for others.
  public let height: Int
  /// Whether it is a key frame that is encrypted between the ends. Other pictures do not tell.
  public let isEncrypted: Bool

  /// Reads the first bytes of a picture's first partition: 3, and 10 of a key frame.
  public init(parsing bytes: RawSpan) throws(RTPParseError) {
    guard bytes.byteCount >= 3 else { throw .truncated }
    isKeyFrame = bytes.uint8(at: 0) & 1 == 0
    guard isKeyFrame else {
      width = 0
      height = 0
      isEncrypted = false
      return
    }
    guard bytes.byteCount >= 10 else { throw .truncated }
    let startCode = bytes.uint24(at: 3)
    guard startCode == Self.startCode || startCode == Self.encryptedStartCode else { throw .invalidField }
    isEncrypted = startCode == Self.encryptedStartCode
    // The two sizes are little-endian, with the upscaling hint in the top two bits.
    width = Int(bytes.uint16(at: 6).byteSwapped & 0x3FFF)
    height = Int(bytes.uint16(at: 8).byteSwapped & 0x3FFF)
  }
}
