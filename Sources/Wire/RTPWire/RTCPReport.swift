import MediaBase

/// A sender report (RFC 3550 section 6.4.1) or, without `sender`, a receiver report (section 6.4.2).
public struct RTCPReport: Hashable, Sendable {
  /// What a sender says of its stream.
  public struct SenderInfo: Hashable, Sendable {
    /// Wall clock when the report was made, NTP format.
    public var ntpTimestamp: UInt64
    /// The same instant on the stream's clock.
    public var rtpTimestamp: UInt32
    /// Packets sent; wraps.
    public var packetCount: UInt32
    /// Payload bytes sent; wraps.
    public var octetCount: UInt32

    /// Makes sender information.
    public init(ntpTimestamp: UInt64, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32) {
      self.ntpTimestamp = ntpTimestamp
      self.rtpTimestamp = rtpTimestamp
      self.packetCount = packetCount
      self.octetCount = octetCount
    }
  }

  /// Who reports.
  public var ssrc: UInt32
  /// Of senders only.
  public var sender: SenderInfo?
  /// On what was received; at most 31 are written.
  public var blocks: [RTCPReportBlock]

  /// Makes a report.
  public init(ssrc: UInt32, sender: SenderInfo? = nil, blocks: [RTCPReportBlock] = []) {
    self.ssrc = ssrc
    self.sender = sender
    self.blocks = blocks
  }

  /// Reads the report at `layout`, which was made of the same `bytes`; `invalidField` if it is no report.
  public init(parsing bytes: RawSpan, at layout: RTCPPacketLayout) throws(RTPParseError) {
    let body = layout.bodyRange
    guard body.upperBound <= bytes.byteCount else { throw .truncated }
    let isSender = layout.packetType == RTCPPacketLayout.PacketType.senderReport
    guard isSender || layout.packetType == RTCPPacketLayout.PacketType.receiverReport else { throw .invalidField }
    let firstBlock = body.lowerBound + (isSender ? 24 : 4)
    guard firstBlock + Int(layout.count) * RTCPReportBlock.byteCount <= body.upperBound else { throw .truncated }
    ssrc = bytes.uint32(at: body.lowerBound)
    if isSender {
      let start = body.lowerBound + 4
      sender = SenderInfo(
        ntpTimestamp: bytes.uint64(at: start), rtpTimestamp: bytes.uint32(at: start + 8),
        packetCount: bytes.uint32(at: start + 12), octetCount: bytes.uint32(at: start + 16))
    }
    blocks = []
    blocks.reserveCapacity(Int(layout.count))
    for index in 0..<Int(layout.count) {
      blocks.append(RTCPReportBlock(bytes, at: firstBlock + index * RTCPReportBlock.byteCount))
    }
  }

  /// Appends the report; returns false, and appends nothing, when there is no room.
  @_lifetime(output: copy output)
  public func write(into output: inout OutputRawSpan) -> Bool {
    let written = blocks.prefix(31)
    let byteCount = (sender == nil ? 8 : 28) + written.count * RTCPReportBlock.byteCount
    guard output.freeCapacity >= byteCount else { return false }
    let type = sender == nil ? RTCPPacketLayout.PacketType.receiverReport : RTCPPacketLayout.PacketType.senderReport
    RTCPFeedback.writeHeader(format: UInt8(written.count), type: type, byteCount: byteCount, into: &output)
    output.appendBigEndian(ssrc)
    if let sender {
      output.appendBigEndian(sender.ntpTimestamp)
      output.appendBigEndian(sender.rtpTimestamp)
      output.appendBigEndian(sender.packetCount)
      output.appendBigEndian(sender.octetCount)
    }
    for block in written { block.write(into: &output) }
    return true
  }
}
