/// Payload types (RFC 3551) and header extension ids (RFC 8285) of one connection.
public struct RTPSessionParameters: Hashable, Sendable {
  /// Payload type of Opus, 0 to 127.
  public var opus: UInt8
  /// Payload type of VP8.
  public var vp8: UInt8
  /// Payload type of VP8's retransmissions (RFC 4588).
  public var rtx: UInt8
  /// Id of the audio level extension (RFC 6464), 1 to 14; 0 for none.
  public var audioLevelExtension: UInt8
  /// Id of the transport-wide sequence number extension, 1 to 14; 0 for none.
  public var transportCCExtension: UInt8
  /// Id of the capture time extension, 1 to 14; 0 for none.
  public var captureTimeExtension: UInt8 = 0

  /// Makes parameters; the defaults are those that Greenroom's server announces.
  public init(
    opus: UInt8 = 111, vp8: UInt8 = 96, rtx: UInt8 = 97, audioLevelExtension: UInt8 = 1, transportCCExtension: UInt8 = 3
  ) {
    self.opus = opus
    self.vp8 = vp8
    self.rtx = rtx
    self.audioLevelExtension = audioLevelExtension
    self.transportCCExtension = transportCCExtension
  }
}
