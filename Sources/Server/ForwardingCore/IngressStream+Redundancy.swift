import MediaBase
import RTPWire

extension IngressStream {
  /// Takes a packet of redundant audio (RFC 2198). Lost packets whose encoding it repeats are filled in before it, so
  /// that subscribers who do not know this format gain from it too.
  mutating func receiveRedundant(
    _ header: RTPHeader, payload: RawSpan, opusPayloadType: UInt8, audioLevel: UInt8, now: MediaInstant,
    _ configuration: ForwardingConfiguration
  ) -> Reception {
    guard let layout = try? RedundantAudioLayout(parsing: payload), layout.primaryPayloadType == opusPayloadType else {
      return .unusable
    }
    guard
      (0..<layout.redundantBlockCount).allSatisfy({
        layout.redundantBlock($0, in: payload)?.payloadType == opusPayloadType
      })
    else {
      // What only this publisher can name is left out.
      return receive(
        header, payload: payload.extracting(layout.primaryOffset..<payload.byteCount), audioLevel: audioLevel, now: now,
        configuration)
    }
    var missing = min(lostBefore(header.sequenceNumber), layout.redundantBlockCount)
    while missing > 0 {
      reconstruct(missing, before: header, layout, payload, now: now, configuration)
      missing -= 1
    }
    return receive(
      header, payload: payload, primaryOffset: layout.primaryOffset, audioLevel: audioLevel, now: now, configuration)
  }

  /// Fills in the packet `distance` numbers before this one.
  private mutating func reconstruct(
    _ distance: Int, before header: RTPHeader, _ layout: RedundantAudioLayout, _ payload: RawSpan,
    now: MediaInstant, _ configuration: ForwardingConfiguration
  ) {
    guard let block = layout.redundantBlock(distance - 1, in: payload), !block.range.isEmpty,
      block.timestampOffset > 0
    else { return }
    let lost = RTPHeader(
      marker: false, payloadType: block.payloadType, sequenceNumber: header.sequenceNumber &- UInt16(distance),
      timestamp: header.timestamp &- block.timestampOffset, ssrc: header.ssrc)
    _ = receive(
      lost, payload: payload.extracting(block.range), audioLevel: PacketRecord.noLevel, isReconstructed: true, now: now,
      configuration)
  }
}
