/// One compressed picture, as an encoder made it or as it came back together from packets.
public struct EncodedVideoFrame: Sendable {
  /// The codec's bitstream for this picture (for VP8: RFC 6386, without any payload descriptor).
  public var data: [UInt8]
  /// Whether decoding can start here.
  public var isKeyFrame: Bool
  /// Position on the stream's 90 kHz clock, which wraps.
  public var timestamp: UInt32
  /// When the picture was captured, on the sender's monotonic clock; `.zero` where it is not known (received frames).
  public var captureTime: MediaInstant
  /// Width in pixels; 0 if not known.
  public var width: Int
  /// Height in pixels; 0 if not known.
  public var height: Int
  /// Temporal layer, 0 for the base layer.
  public var temporalID: UInt8
  /// Whether later pictures may need this one.
  public var isReference = true

  /// Makes a frame from its parts.
  public init(
    data: [UInt8], isKeyFrame: Bool, timestamp: UInt32, captureTime: MediaInstant = .zero, width: Int = 0,
    height: Int = 0, temporalID: UInt8 = 0
  ) {
    self.data = data
    self.isKeyFrame = isKeyFrame
    self.timestamp = timestamp
    self.captureTime = captureTime
    self.width = width
    self.height = height
    self.temporalID = temporalID
  }
}
