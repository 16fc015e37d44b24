import MediaBase
import RTPWire

/// What stands before the SFrame header of an encrypted frame.
///
/// - Video: what a server has to read of a VP8 frame (RFC 6386 section 9.1). The start code of a key frame is another
///   one, so that a decoder without the key refuses it instead of showing noise.
/// - Audio: one byte. As an Opus packet it says 60 ms a frame, and what follows says more than two of them, which is no
///   packet (RFC 6716 section 3.2.5): a decoder without the key is silent.
enum EncryptedFrameLayout {
  /// Configuration 3, mono, code 3.
  static let audioMarker: UInt8 = 0x1B
  private static let keyFrameByteCount = 10
  private static let startCodeRange = 3..<6

  /// How many bytes of a frame stay in the clear; `nil` if it is too short to be one.
  static func clearByteCount(_ kind: SFrameMediaKind, _ frame: [UInt8]) -> Int? {
    guard kind == .video else { return 0 }
    guard let first = frame.first else { return nil }
    guard first & 1 == 0 else { return 1 }
    return frame.count >= keyFrameByteCount ? keyFrameByteCount : nil
  }

  /// Appends what goes before the header of a frame's encrypted form.
  static func appendPrefix(_ kind: SFrameMediaKind, of frame: [UInt8], clearByteCount: Int, to bytes: inout [UInt8]) {
    switch kind {
    case .video:
      bytes.append(contentsOf: frame[..<clearByteCount])
      if clearByteCount == keyFrameByteCount { setStartCode(VP8FrameHeader.encryptedStartCode, in: &bytes) }
    case .audio: bytes.append(audioMarker)
    case .data: break
    }
  }

  /// How many bytes stand before the header of an encrypted frame.
  static func prefixByteCount(_ kind: SFrameMediaKind, of bytes: [UInt8]) throws(SFrameError) -> Int {
    guard let first = bytes.first else { throw .malformed }
    switch kind {
    case .video:
      guard first & 1 == 0 else { return 1 }
      guard let header = try? VP8FrameHeader(parsing: bytes.span.bytes) else { throw .malformed }
      guard header.isEncrypted else { throw .notEncrypted }
      return keyFrameByteCount
    case .audio:
      guard first == audioMarker else { throw .notEncrypted }
      return 1
    case .data: return 0
    }
  }

  /// Of a prefix, what belongs to the decrypted frame, in its own form.
  static func clearBytes(_ kind: SFrameMediaKind, of prefix: ArraySlice<UInt8>) -> [UInt8] {
    guard kind == .video else { return [] }
    var bytes = Array(prefix)
    if bytes.count == keyFrameByteCount { setStartCode(VP8FrameHeader.startCode, in: &bytes) }
    return bytes
  }

  private static func setStartCode(_ code: UInt32, in bytes: inout [UInt8]) {
    bytes.replaceSubrange(
      startCodeRange, with: [16, 8, 0].map { UInt8(truncatingIfNeeded: code &>> UInt32($0)) })
  }
}

extension SFrameMediaKind {
  /// Whether a frame is encrypted, as far as it shows: a receiver without a key can tell by it why there is nothing to see
  /// or hear. Pictures that are no key frames never show it.
  public func looksEncrypted(_ frame: [UInt8]) -> Bool {
    switch self {
    case .video: (try? VP8FrameHeader(parsing: frame.span.bytes))?.isEncrypted ?? false
    case .audio:
      frame.count > 1 && frame[0] == EncryptedFrameLayout.audioMarker && frame[1] & 0x3F > 2
    case .data: false
    }
  }
}
