public import MediaBase

/// The fixed part of an RTP packet (RFC 3550 section 5.1).
public struct RTPHeader: Hashable, Sendable {
  /// Bytes of the fixed part.
  public static let byteCount = 12

  /// The profile's marker: last packet of a picture for video, start of a talk spurt for audio.
  public var marker: Bool
  /// 0 to 127.
  public var payloadType: UInt8
  /// Counts packets; wraps.
  public var sequenceNumber: UInt16
  /// Sampling instant on the payload's clock; wraps.
  public var timestamp: UInt32
  /// The stream.
  public var ssrc: UInt32

  /// Makes a header.
  @inlinable public init(
    marker: Bool = false, payloadType: UInt8, sequenceNumber: UInt16, timestamp: UInt32, ssrc: UInt32
  ) {
    self.marker = marker
    self.payloadType = payloadType
    self.sequenceNumber = sequenceNumber
    self.timestamp = timestamp
    self.ssrc = ssrc
  }

  /// Appends the 12 bytes without CSRCs. `hasExtension` sets the X bit; the caller appends the extension block next.
  /// Returns false, and appends nothing, when there is no room.
  @inlinable @_lifetime(output: copy output)
  public func write(into output: inout OutputRawSpan, hasExtension: Bool = false) -> Bool {
    guard output.freeCapacity >= Self.byteCount else { return false }
    output.append(hasExtension ? 0x90 : 0x80)
    output.append((marker ? 0x80 : 0) | (payloadType & 0x7F))
    output.appendBigEndian(sequenceNumber)
    output.appendBigEndian(timestamp)
    output.appendBigEndian(ssrc)
    return true
  }
}
