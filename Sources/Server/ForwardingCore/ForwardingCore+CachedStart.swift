import MediaBase

/// Pictures at once for those who come.
extension ForwardingCore {
  /// Has an egress that waits for a key frame begin with the one that is kept, if it is recent and all that has followed
  /// is there and is not too much; then none is asked for.
  ///
  /// Only for those who show what has come without waiting: others take the time of the first packet for the beginning,
  /// and would show everything as much later as the key frame is old.
  mutating func startFromCache(_ egress: Int32, now: MediaInstant) {
    guard let limit = configuration.cachedStart, egresses[egress].kind == .video, egresses[egress].phase == .waiting,
      peers[egresses[egress].subscriber].showsAtOnce
    else { return }
    let stream = egresses[egress].stream
    guard let start = streams[stream].cachedStart(limit, now: now) else { return }
    egresses[egress].wait(for: stream, from: start)
    if egresses[egress].isCountedAsWaiting { streams[stream].keyFrames.subscriberStopsWaiting() }
    egresses[egress].isCountedAsWaiting = false
    statistics.cachedStarts &+= 1
    link(egress)
  }
}

extension IngressStream {
  /// The arrival number of the key frame with which a newcomer can begin; nil if it has to wait for another.
  func cachedStart(_ limit: CachedStart, now: MediaInstant) -> UInt64? {
    guard isPublished, let keyFrame, let highest = highestIndex, now - keyFrame.time <= limit.age,
      highest - keyFrame.index < Int64(min(limit.packetCount, history.capacity))
    else { return nil }
    var byteCount = 0
    var arrival = keyFrame.arrival
    for index in keyFrame.index...max(highest, keyFrame.index) {
      guard let record = history.record(of: index) else { return nil }
      byteCount += Int(record.payloadLength)
      // Packets that overtook the key frame's start.
      arrival = min(arrival, record.arrival)
    }
    return byteCount <= limit.byteCount ? arrival : nil
  }
}
