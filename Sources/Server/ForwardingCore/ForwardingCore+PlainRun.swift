import CongestionControl
import MediaBase
import RTPWire
import SecureChannel

extension ForwardingCore {
  /// The loop that nearly all packets go through: to subscribers with plain headers who get all that comes, as it comes.
  /// What has to be looked at more closely ends it, and is left to the loop in `forward`.
  ///
  /// Reads records where they lie, writes each header as a few words, and counts once for the run: what this costs for a
  /// packet is multiplied by all subscribers (docs/architecture.md, "The packet path").
  static func forwardPlainly(
    _ egress: inout Egress, of stream: inout IngressStream, to peer: inout Peer,
    into slab: UnsafeMutableRawBufferPointer, _ run: inout RunBuilder, _ statistics: inout ForwardingStatistics,
    now: MediaInstant
  ) {
    guard peer.format.isPlain, egress.phase == .forwarding, !egress.filter.isOn, let start = slab.baseAddress else {
      return
    }
    let isNumbered = peer.format.transportSequenceExtensionID != 0
    if isNumbered, peer.downlink == nil { peer.makeDownlink(now: now) }
    let bytesBefore = run.byteCount
    let packetCount =
      peer.sender?.sealRun(
        PlainHeader(peer.format, egress.kind, ssrc: egress.ssrc), &egress, &stream, start, &run,
        &peer.transportSequenceNumber, isNumbered ? peer.downlink : nil, now: now) ?? 0
    peer.retransmissionCredit = min(peer.retransmissionCredit &+ packetCount, Peer.maximumRetransmissionCredit)
    statistics.forwardedPackets &+= UInt64(truncatingIfNeeded: packetCount)
    statistics.forwardedBytes &+= UInt64(truncatingIfNeeded: run.byteCount &- bytesBefore)
  }
}

extension SRTPSender {
  /// Seals packets into the slab that begins at `start`, as many as fit the run, and returns their number. With the sender
  /// in hand, which is looked for once.
  @inline(__always)
  fileprivate mutating func sealRun(
    _ header: PlainHeader, _ egress: inout Egress, _ stream: inout IngressStream, _ start: UnsafeMutableRawPointer,
    _ run: inout RunBuilder, _ transportSequenceNumber: inout UInt16, _ downlink: UnsafeMutablePointer<Downlink>?,
    now: MediaInstant
  ) -> Int32 {
    let segment = egress.segment
    let overhead = rtpOverhead
    let end = stream.arrivalCount
    var packetCount: Int32 = 0
    while !run.isFull, egress.cursor < end, let (record, payload) = stream.history.packet(arrivedAs: egress.cursor),
      record.pointee.index >= segment.firstIndex, record.pointee.primaryOffset == 0
    {
      let sequenceNumber = UInt16(truncatingIfNeeded: segment.sequence(of: record.pointee))
      let headerLength = header.length(of: record.pointee)
      let payloadLength = Int(record.pointee.payloadLength)
      let size = headerLength &+ payloadLength &+ overhead
      guard run.accepts(size) else { break }
      let packet = start + run.byteCount
      header.write(
        record.pointee, sequenceNumber: sequenceNumber,
        timestamp: record.pointee.timestamp &- segment.timestampOffset,
        transportSequenceNumber: transportSequenceNumber, to: packet)
      segment.rewritePayload(payload, of: record.pointee)
      guard
        sealRTP(
          ssrc: egress.ssrc, sequenceNumber: sequenceNumber, packet: packet, headerLength: headerLength,
          payload: payload, payloadLength: payloadLength)
      else { break }
      downlink?.pointee.estimator.sent(transportSequenceNumber, byteCount: size &+ Downlink.pathOverhead, now: now)
      transportSequenceNumber &+= 1
      egress.cursor &+= 1
      egress.sent(record.pointee, in: segment, now: now)
      run.append(size)
      packetCount &+= 1
    }
    return packetCount
  }
}
