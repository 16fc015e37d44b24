/// One compressed piece of sound: for Opus one packet (RFC 6716), usually 20 ms.
public struct EncodedAudioFrame: Sendable {
  /// The codec's packet.
  public var data: [UInt8]
  /// Position on the 48 kHz clock, which wraps.
  public var timestamp: UInt32
  /// Length in samples at 48 kHz (960 for 20 ms).
  public var sampleCount: Int
  /// First packet after silence (RFC 3551 section 4.1: the marker bit).
  public var startsTalkSpurt: Bool

  /// Makes a frame from its parts.
  public init(data: [UInt8], timestamp: UInt32, sampleCount: Int, startsTalkSpurt: Bool = false) {
    self.data = data
    self.timestamp = timestamp
    self.sampleCount = sampleCount
    self.startsTalkSpurt = startsTalkSpurt
  }
}
