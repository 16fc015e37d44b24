import MediaBase
import RTPWire

/// What of a packet's header extensions is passed on, beside the audio level.
struct PacketExtras: BitwiseCopyable {
  static let noOrientation: UInt8 = 0xFF

  var orientation = Self.noOrientation
  /// 8 or 16 bytes as they came, first in the highest; 0 without.
  var captureTimeByteCount: UInt8 = 0
  var captureTime: (UInt64, UInt64) = (0, 0)

  /// Nothing.
  init() {}

  /// - Parameter format: that of the publisher's connection.
  init(_ layout: RTPPacketLayout, in bytes: RawSpan, _ format: ForwardedFormat) {
    let extensions = format.extensions
    let captureTimeID = max(extensions.captureTimeID, format.sentCaptureTimeExtensionID)
    if extensions.orientationID != 0, let range = layout.headerExtension(id: extensions.orientationID, in: bytes),
      range.count == 1
    {
      // Four bits; the others are reserved.
      orientation = bytes.uint8(at: range.lowerBound) & 0x0F
    }
    guard captureTimeID != 0, let range = layout.headerExtension(id: captureTimeID, in: bytes),
      range.count == 8 || range.count == 16
    else { return }
    captureTimeByteCount = UInt8(range.count)
    captureTime.0 = bytes.uint64(at: range.lowerBound)
    if range.count == 16 { captureTime.1 = bytes.uint64(at: range.lowerBound + 8) }
  }
}
