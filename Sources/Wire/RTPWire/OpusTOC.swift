import MediaBase

/// The first byte of an Opus packet (RFC 6716 section 3.1), which tells the packet's length in time.
public enum OpusTOC {
  /// Samples at 48 kHz in `packet`, 120 to 5,760 (120 ms).
  public static func sampleCount(of packet: RawSpan) throws(RTPParseError) -> Int {
    guard packet.byteCount >= 1 else { throw .truncated }
    let toc = packet.uint8(at: 0)
    let samples = frameSampleCount(configuration: Int(toc &>> 3))
    let frames: Int
    switch toc & 0x03 {
    case 0: frames = 1
    case 1, 2: frames = 2
    default:
      guard packet.byteCount >= 2 else { throw .truncated }
      frames = Int(packet.uint8(at: 1) & 0x3F)
    }
    // Section 3.2.5: at least one frame, at most 120 ms.
    guard frames >= 1, frames * samples <= 5_760 else { throw .invalidField }
    return frames * samples
  }

  private static func frameSampleCount(configuration: Int) -> Int {
    switch configuration {
    case 0..<12:  // SILK: 10, 20, 40, 60 ms
      let step = configuration & 3
      return step == 3 ? 2_880 : 480 &<< step
    case 12..<16: return 480 &<< (configuration & 1)  // hybrid: 10, 20 ms
    default: return 120 &<< (configuration & 3)  // CELT: 2.5, 5, 10, 20 ms
    }
  }
}
