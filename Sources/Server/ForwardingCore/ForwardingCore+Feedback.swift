import MediaBase
import RTPWire

extension ForwardingCore {
  /// Takes a decrypted RTCP compound of `peer`: reports on what it sends, and wishes about what it gets. Packets behind
  /// a malformed one are ignored, those before it count.
  mutating func receiveRTCP(_ compound: UnsafeRawBufferPointer, from peer: Int32, now: MediaInstant) {
    noteLife(of: peer, now: now)
    let bytes = compound.bytes
    var offset = 0
    while offset < bytes.byteCount, let layout = try? RTCPPacketLayout(parsing: bytes, at: offset) {
      offset = layout.range.upperBound
      switch (layout.packetType, layout.count) {
      case (RTCPPacketLayout.PacketType.senderReport, _):
        receiveSenderReport(bytes, layout, from: peer, now: now)
        acknowledge(bytes, layout, firstBlock: 24, from: peer)
      case (RTCPPacketLayout.PacketType.receiverReport, _):
        acknowledge(bytes, layout, firstBlock: 4, from: peer)
      case (RTCPPacketLayout.PacketType.transportFeedback, 1):
        receiveNACK(bytes, layout, from: peer)
      case (RTCPPacketLayout.PacketType.transportFeedback, TransportFeedback.format):
        receiveTransportWideFeedback(bytes, layout, from: peer, now: now)
      case (RTCPPacketLayout.PacketType.payloadFeedback, 15):
        receiveReceiverEstimate(bytes, layout, from: peer, now: now)
      case (RTCPPacketLayout.PacketType.payloadFeedback, 1):
        guard layout.bodyRange.count >= 8 else { continue }
        askForKeyFrame(of: bytes.uint32(at: layout.bodyRange.lowerBound + 4), by: peer, now: now)
      case (RTCPPacketLayout.PacketType.payloadFeedback, 4):
        // RFC 5104 section 4.3.1: entries of 8 bytes after two SSRCs.
        var entry = layout.bodyRange.lowerBound + 8
        while entry + 8 <= layout.bodyRange.upperBound {
          askForKeyFrame(of: bytes.uint32(at: entry), by: peer, now: now)
          entry += 8
        }
      default: break
      }
    }
  }

  /// A report on a stream shows that its receiver has got what the packets said until now.
  private mutating func acknowledge(_ bytes: RawSpan, _ layout: RTCPPacketLayout, firstBlock: Int, from peer: Int32) {
    var block = layout.bodyRange.lowerBound + firstBlock
    for _ in 0..<layout.count where block + RTCPReportBlock.byteCount <= layout.bodyRange.upperBound {
      if let egress = egressesBySSRC.find(PeerSSRC(peer: peer, ssrc: bytes.uint32(at: block))),
        egresses[egress].packetCount > 0
      {
        egresses[egress].isAcknowledged = true
      }
      block += RTCPReportBlock.byteCount
    }
  }

  private mutating func receiveSenderReport(
    _ bytes: RawSpan, _ layout: RTCPPacketLayout, from peer: Int32, now: MediaInstant
  ) {
    guard let report = try? RTCPReport(parsing: bytes, at: layout), let sender = report.sender,
      let track = peers[peer].track(ssrc: report.ssrc), !track.isRetransmission
    else { return }
    streams[track.stream].receive(
      SourceReport(ntpTimestamp: sender.ntpTimestamp, rtpTimestamp: sender.rtpTimestamp, arrival: now))
  }

  private mutating func receiveNACK(_ bytes: RawSpan, _ layout: RTCPPacketLayout, from peer: Int32) {
    guard layout.bodyRange.count >= 8 else { return }
    let ssrc = bytes.uint32(at: layout.bodyRange.lowerBound + 4)
    guard let egress = egressesBySSRC.find(PeerSSRC(peer: peer, ssrc: ssrc)), egresses[egress].rtxSSRC != 0 else {
      return
    }
    RTCPFeedback.forEachLostSequenceNumber(in: bytes, at: layout) { sequenceNumber in
      requestRetransmission(of: sequenceNumber, egress: egress, peer: peer)
    }
    if !peers[peer].retransmissions.isEmpty { enqueue(peer) }
  }

  private mutating func requestRetransmission(of sequenceNumber: UInt16, egress: Int32, peer: Int32) {
    guard let sequence = egresses[egress].sequence(of: sequenceNumber),
      let segment = egresses[egress].segment(ofSequence: sequence),
      streams[segment.stream].history.record(of: sequence + segment.sequenceOffset) != nil,
      peers[peer].retransmissions.count < Peer.maximumRetransmissions,
      peers[peer].retransmissionCredit > 0
    else { return }
    // What waits for the path already is not worth asking for again.
    if peers[peer].isPaced,
      peers[peer].retransmissions.contains(where: { $0.egress == egress && $0.sequence == sequence })
    {
      return
    }
    peers[peer].retransmissionCredit -= 1
    peers[peer].retransmissions.append(Retransmission(egress: egress, sequence: sequence))
  }

  private mutating func askForKeyFrame(of ssrc: UInt32, by peer: Int32, now: MediaInstant) {
    guard let egress = egressesBySSRC.find(PeerSSRC(peer: peer, ssrc: ssrc)), egresses[egress].kind == .video,
      egresses[egress].phase != .inactive
    else { return }
    let stream = egresses[egress].stream
    streams[stream].keyFrames.askedBySubscriber(now: now)
    watch(stream)
  }
}
