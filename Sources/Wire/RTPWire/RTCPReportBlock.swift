import MediaBase

/// What a receiver reports on one stream (RFC 3550 section 6.4.1).
public struct RTCPReportBlock: Hashable, Sendable {
  /// Bytes on the wire.
  public static let byteCount = 24

  /// The stream reported on.
  public var ssrc: UInt32
  /// Share of packets lost since the last report, in 1/256.
  public var fractionLost: UInt8
  /// Packets lost since the start, 24 bits with a sign.
  public var cumulativeLost: Int32
  /// Highest sequence number received, with the count of its cycles above it.
  public var extendedHighestSequenceNumber: UInt32
  /// Interarrival jitter in the stream's clock.
  public var jitter: UInt32
  /// Middle 32 bits of the NTP time in the last sender report; 0 if none came.
  public var lastSenderReport: UInt32
  /// Since that report, in 1/65,536 s.
  public var delaySinceLastSenderReport: UInt32

  /// Makes a block.
  public init(
    ssrc: UInt32, fractionLost: UInt8, cumulativeLost: Int32, extendedHighestSequenceNumber: UInt32, jitter: UInt32,
    lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
  ) {
    self.ssrc = ssrc
    self.fractionLost = fractionLost
    self.cumulativeLost = cumulativeLost
    self.extendedHighestSequenceNumber = extendedHighestSequenceNumber
    self.jitter = jitter
    self.lastSenderReport = lastSenderReport
    self.delaySinceLastSenderReport = delaySinceLastSenderReport
  }

  /// Reads 24 bytes at `offset`, which the caller has checked.
  init(_ bytes: RawSpan, at offset: Int) {
    ssrc = bytes.uint32(at: offset)
    fractionLost = bytes.uint8(at: offset + 4)
    cumulativeLost = Int32(bitPattern: bytes.uint24(at: offset + 5) &<< 8) &>> 8
    extendedHighestSequenceNumber = bytes.uint32(at: offset + 8)
    jitter = bytes.uint32(at: offset + 12)
    lastSenderReport = bytes.uint32(at: offset + 16)
    delaySinceLastSenderReport = bytes.uint32(at: offset + 20)
  }

  /// Appends the 24 bytes; the caller has checked for room. A loss outside 24 bits is clamped.
  @_lifetime(output: copy output)
  func write(into output: inout OutputRawSpan) {
    output.appendBigEndian(ssrc)
    output.append(fractionLost)
    output.appendBigEndian24(UInt32(bitPattern: min(max(cumulativeLost, -0x80_0000), 0x7F_FFFF)))
    output.appendBigEndian(extendedHighestSequenceNumber)
    output.appendBigEndian(jitter)
    output.appendBigEndian(lastSenderReport)
    output.appendBigEndian(delaySinceLastSenderReport)
  }
}
