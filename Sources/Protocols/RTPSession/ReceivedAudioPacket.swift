/// One packet of Opus as it came from the network.
public struct ReceivedAudioPacket: Hashable, Sendable {
  /// The codec's packet (RFC 6716); never empty.
  public var payload: [UInt8]
  /// Counts packets; wraps.
  public var sequenceNumber: UInt16
  /// Position on the 48 kHz clock; wraps.
  public var timestamp: UInt32
  /// The marker: first packet after silence (RFC 3551 section 4.1).
  public var startsTalkSpurt: Bool
  /// Audio level in -dBov, 0 loudest, 127 silence (RFC 6464); `nil` if the sender did not say.
  public var level: UInt8?

  /// Makes a packet.
  public init(
    payload: [UInt8], sequenceNumber: UInt16, timestamp: UInt32, startsTalkSpurt: Bool = false, level: UInt8? = nil
  ) {
    self.payload = payload
    self.sequenceNumber = sequenceNumber
    self.timestamp = timestamp
    self.startsTalkSpurt = startsTalkSpurt
    self.level = level
  }
}
