/// The header extensions of one peer's connection beside those that every native user has. Numbers are 1 to 255, 0 for an
/// extension that was not agreed to.
public struct ForwardedExtensions: BitwiseCopyable, Hashable, Sendable {
  /// When a packet was sent, 24 bits; written anew for each receiver.
  public var sendTimeID: UInt8 = 0
  /// How long pictures may wait before they are shown; receivers are asked not to let them wait.
  public var playoutDelayID: UInt8 = 0
  /// When a frame was captured, 8 or 16 bytes; passed on as the publisher wrote it, whose clock sender reports keep too.
  public var captureTimeID: UInt8 = 0
  /// How the publisher held its camera (3GPP TS 26.114), one byte; passed on.
  public var orientationID: UInt8 = 0
  /// The section of the session description that a stream belongs to (RFC 9143 section 15), for a receiver.
  public var receivedMediaIDID: UInt8 = 0
  /// What `receivedMediaIDID` says for sound.
  public var audioMediaID = MediaIDText()
  /// What it says for pictures.
  public var videoMediaID = MediaIDText()
  /// Whether elements are written in the two-byte form (RFC 8285 section 4.3), since a number is above 14.
  public var usesTwoByteForm = false

  /// None.
  public init() {}

  var isEmpty: Bool { sendTimeID | playoutDelayID | captureTimeID | orientationID | receivedMediaIDID == 0 }
}

/// A short text without storage of its own.
public struct MediaIDText: BitwiseCopyable, Hashable, Sendable {
  /// Longer ones do not fit the one-byte form (RFC 8285 section 4.2), and are not written into packets.
  public static let maximumByteCount = 16

  /// The first eight bytes, first in the highest.
  private var head: UInt64 = 0
  private var tail: UInt64 = 0
  private(set) var byteCount: UInt8 = 0

  /// Nothing.
  public init() {}

  /// `nil` if the text is empty or too long.
  public init?(_ text: String) {
    guard (1...Self.maximumByteCount).contains(text.utf8.count) else { return nil }
    for byte in text.utf8 {
      let shifted = UInt64(byte) &<< (56 &- 8 &* UInt64(byteCount & 7))
      if byteCount < 8 { head |= shifted } else { tail |= shifted }
      byteCount += 1
    }
  }

  /// Byte number `place`.
  subscript(place: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (place < 8 ? head : tail) &>> (56 &- 8 &* UInt64(place & 7)))
  }
}
