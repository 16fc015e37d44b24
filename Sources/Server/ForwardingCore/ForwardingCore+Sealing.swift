import MediaBase
import RTPWire
import SecureChannel

extension ForwardingCore {
  /// Writes a packet's header for one subscriber, puts the subscriber's numbers into the payload and encrypts from the
  /// history straight into `region`. Nil if it cannot be sealed.
  static func seal(
    _ record: PacketRecord, in segment: ForwardedSegment, of stream: inout IngressStream, for egress: inout Egress,
    peer: inout Peer, into region: UnsafeMutableRawBufferPointer, now: MediaInstant
  ) -> Int? {
    guard let payload = stream.history.payload(of: record) else { return nil }
    segment.rewritePayload(payload, of: record)
    Egress.rewriteRedundancy(payload, of: record, peer.format)
    let skipped = Egress.skippedLength(of: record, peer.format)
    let header = RTPHeader(
      marker: record.marker, payloadType: Egress.payloadType(of: record, egress.kind, peer.format),
      sequenceNumber: UInt16(truncatingIfNeeded: segment.sequence(of: record)),
      timestamp: record.timestamp &- segment.timestampOffset, ssrc: egress.ssrc)
    let headerLength = egress.writeHeader(
      header, of: record, captureTime: stream.history.captureTime(of: record),
      transportSequenceNumber: peer.transportSequenceNumber, now: now, into: region, peer.format)
    let length = try? peer.sender?.protectRTP(
      headerIn: region, headerLength: headerLength,
      payload: UnsafeRawBufferPointer(start: payload + skipped, count: Int(record.payloadLength) - skipped))
    guard let length else { return nil }
    peer.noteSent(byteCount: length, now: now)
    peer.transportSequenceNumber &+= 1
    peer.retransmissionCredit = min(peer.retransmissionCredit + 1, Peer.maximumRetransmissionCredit)
    egress.sent(record, in: segment, now: now)
    return length
  }

  /// As `seal`, in the form of RFC 4588 section 4: the original sequence number stands before the payload.
  static func sealAgain(
    _ record: PacketRecord, in segment: ForwardedSegment, of stream: inout IngressStream, for egress: inout Egress,
    peer: inout Peer, into region: UnsafeMutableRawBufferPointer, now: MediaInstant
  ) -> Int? {
    guard let payload = stream.history.payload(of: record), let payloadType = peer.format.rtxPayloadType
    else { return nil }
    segment.rewritePayload(payload, of: record)
    let original = UInt16(truncatingIfNeeded: segment.sequence(of: record))
    (payload - 2).storeBytes(of: original.bigEndian, as: UInt16.self)
    let header = RTPHeader(
      marker: record.marker, payloadType: payloadType, sequenceNumber: egress.nextRTXSequenceNumber,
      timestamp: record.timestamp &- segment.timestampOffset, ssrc: egress.rtxSSRC)
    let headerLength = egress.writeHeader(
      header, of: record, captureTime: stream.history.captureTime(of: record),
      transportSequenceNumber: peer.transportSequenceNumber, now: now, into: region, peer.format)
    let length = try? peer.sender?.protectRTP(
      headerIn: region, headerLength: headerLength,
      payload: UnsafeRawBufferPointer(start: payload - 2, count: Int(record.payloadLength) + 2))
    guard let length else { return nil }
    peer.noteSent(byteCount: length, now: now)
    egress.nextRTXSequenceNumber &+= 1
    peer.transportSequenceNumber &+= 1
    return length
  }
}
