import MediaBase

/// Leaving out temporal layers.
extension Egress {
  /// Begins or ends the watch over temporal layers, as target and stream now have it.
  mutating func adjustFilter(to stream: borrowing IngressStream) {
    guard kind == .video, phase == .forwarding, !filter.isOn, target.temporal < stream.highestTemporalID else { return }
    // Nothing has been left out so far; the next picture may be the first.
    let frontier = highestSequence + segment.sequenceOffset
    filter.start(
      at: frontier, record: frontier >= segment.firstIndex ? stream.history.record(of: frontier) : nil,
      limit: .max)
  }

  /// `nextPacket` while temporal layers may be left out: first packets that come late and have their numbers, then what
  /// follows in order.
  mutating func nextFilteredPacket(of stream: borrowing IngressStream, now: MediaInstant) -> PacketRecord? {
    while cursor < stream.arrivalCount {
      if let record = stream.history.record(arrivedAs: cursor), record.index <= filter.frontier,
        let segment = segment(ofIndex: record.index), segment.sequence(of: record) <= highestSequence
      {
        return record
      }
      cursor &+= 1
    }
    while let record = nextInOrder(of: stream, now: now) {
      if filter.admits(record, target: target.temporal) {
        settle(before: record.index)
        return record
      }
      filter.frontier = record.index
    }
    endFilterIfIdle(stream)
    return nil
  }

  /// The packet behind the frontier; decides on those that are missing before it.
  private mutating func nextInOrder(of stream: borrowing IngressStream, now: MediaInstant) -> PacketRecord? {
    guard let highest = stream.highestIndex, filter.frontier < highest else { return nil }
    if let record = stream.history.record(of: filter.frontier + 1) {
      filter.heldSince = nil
      return record
    }
    var index = max(filter.frontier + 2, highest - Int64(stream.history.capacity) + 1)
    while index < highest, stream.history.record(of: index) == nil { index += 1 }
    guard let next = stream.history.record(of: index) else { return nil }
    switch filter.gap(before: next, target: target.temporal) {
    case .dropped(let pictures): filter.drop(packets: index - 1 - filter.frontier, pictures: pictures)
    case .forwarded: leaveRoom(before: next)
    case .unknown:
      let since = filter.heldSince ?? now
      filter.heldSince = since
      guard now - since >= TemporalFilter.longestHold else { return nil }
      leaveRoom(before: next)
    }
    filter.heldSince = nil
    filter.frontier = index - 1
    return next
  }

  /// Numbers what is missing from the frontier up to `next`: it will come late, or be asked for. Numbers that follow go
  /// on behind it, even if `next` itself is left out.
  private mutating func leaveRoom(before next: PacketRecord) {
    settle(before: filter.frontier + 1)
    highestSequence = max(highestSequence, next.index - 1 - segment.sequenceOffset)
    guard packetCount > 0 else { return }
    let timestamp = next.timestamp &- 1 &- segment.timestampOffset
    if Int32(bitPattern: timestamp &- highestTimestamp) > 0 { highestTimestamp = timestamp }
    guard next.hasPictureID else { return }
    let pictureID = (next.pictureID &- 1 &- segment.pictureIDOffset) & 0x7FFF
    if (pictureID &- highestPictureID) & 0x7FFF < 0x4000 { highestPictureID = pictureID }
    let tl0PicIdx = next.tl0PicIdx &- (next.temporalID == 0 ? 1 : 0) &- segment.tl0PicIdxOffset
    if next.tl0PicIdxOffset != 0, tl0PicIdx &- highestTL0PicIdx < 0x80 { highestTL0PicIdx = tl0PicIdx }
  }

  /// Takes what was left out before packet `index` out of the numbers from there on.
  private mutating func settle(before index: Int64) {
    guard filter.droppedPackets != 0 || filter.droppedPictures != 0 else { return }
    let isEmpty = segment.firstSequence > highestSequence
    if !isEmpty { earlier.append(segment) }
    segment.firstIndex = index
    segment.sequenceOffset += filter.droppedPackets
    segment.pictureIDOffset = (segment.pictureIDOffset &+ filter.droppedPictures) & 0x7FFF
    filter.settle()
  }

  private mutating func endFilterIfIdle(_ stream: borrowing IngressStream) {
    guard target.temporal >= stream.highestTemporalID, filter.limit >= stream.highestTemporalID,
      filter.frontier == stream.highestIndex, filter.droppedPackets == 0, filter.droppedPictures == 0,
      !filter.isDropping
    else { return }
    filter.isOn = false
  }
}
