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
    let segment = egress.segment
    let overhead = peer.rtpOverhead
    let header = PlainHeader(peer.format, egress.kind, ssrc: egress.ssrc)
    let end = stream.arrivalCount
    var packetCount: Int32 = 0
    let bytesBefore = run.byteCount
    while !run.isFull, egress.cursor < end, let (record, payload) = stream.history.packet(arrivedAs: egress.cursor),
      record.pointee.index >= segment.firstIndex, record.pointee.primaryOffset == 0
    {
      let sequence = segment.sequence(of: record.pointee)
      let headerLength = header.length(of: record.pointee)
      let payloadLength = Int(record.pointee.payloadLength)
      let size = headerLength &+ payloadLength &+ overhead
      guard run.accepts(size) else { break }
      let packet = start + run.byteCount
      header.write(
        record.pointee, sequenceNumber: UInt16(truncatingIfNeeded: sequence),
        timestamp: record.pointee.timestamp &- segment.timestampOffset,
        transportSequenceNumber: peer.transportSequenceNumber, to: packet)
      segment.rewritePayload(payload, of: record.pointee)
      guard
        peer.sender?.sealRTP(
          ssrc: egress.ssrc, sequenceNumber: UInt16(truncatingIfNeeded: sequence), packet: packet,
          headerLength: headerLength, payload: payload, payloadLength: payloadLength) == true
      else { break }
      peer.noteSent(byteCount: size, now: now)
      peer.transportSequenceNumber &+= 1
      egress.cursor &+= 1
      egress.sent(record.pointee, in: segment, now: now)
      run.append(size)
      packetCount &+= 1
    }
    peer.retransmissionCredit = min(peer.retransmissionCredit &+ packetCount, Peer.maximumRetransmissionCredit)
    statistics.forwardedPackets &+= UInt64(truncatingIfNeeded: packetCount)
    statistics.forwardedBytes &+= UInt64(truncatingIfNeeded: run.byteCount &- bytesBefore)
  }
}
