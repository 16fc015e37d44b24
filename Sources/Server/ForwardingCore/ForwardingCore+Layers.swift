public import MediaBase
import RTPWire

/// Which of a publisher's encodings, and of their temporal layers, each subscriber gets.
extension ForwardingCore {
  /// What a subscriber wants of a publisher's video at most, from now on; `LayerTarget.best` to begin with. A smaller or
  /// larger picture comes with the next key frame of that encoding, which is asked for at once; until then the present
  /// one goes on. Nothing happens if there is no such route.
  public mutating func setTarget(subscriber: UInt64, publisher: UInt64, _ target: LayerTarget, now: MediaInstant) {
    guard let egress = routes[RouteKey(subscriber: subscriber, publisher: publisher)]?.video else { return }
    egresses[egress].wish = target
    chooseLayer(of: egress, now: now)
  }

  /// What a subscriber's connection can carry of one video; the lesser of this and its wish counts. For the allocator of
  /// its bandwidth, which may call it as often as it likes.
  mutating func setAllotment(of egress: Int32, _ target: LayerTarget, now: MediaInstant) {
    guard egresses[egress].allotment != target else { return }
    egresses[egress].allotment = target
    chooseLayer(of: egress, now: now)
  }

  /// How many encodings the video of an egress has, whether they are live or not; at least 1.
  func layerCount(of egress: Int32) -> Int {
    max(peers[streams[egresses[egress].stream].publisher].layers.count, 1)
  }

  /// The encoding number `spatial` (as in `LayerTarget`) of an egress's video, and what it costs; nil if there is none.
  func layerCost(_ spatial: Int, of egress: Int32, now: MediaInstant) -> VideoLayerCost? {
    let publisher = streams[egresses[egress].stream].publisher
    guard spatial >= 0, spatial < max(peers[publisher].layers.count, 1) else { return nil }
    let stream = peers[publisher].layers.isEmpty ? egresses[egress].stream : peers[publisher].layers[spatial].stream
    let size = streams[stream].pictureSize
    return VideoLayerCost(
      width: size.width, height: size.height, isLive: isLive(stream, of: publisher, now: now),
      highestTemporalID: streams[stream].highestTemporalID, bitrates: streams[stream].meter.bitrates(now: now))
  }

  /// The encodings of a publisher's video, smallest picture first; empty if there is no such route.
  public func videoLayers(subscriber: UInt64, publisher: UInt64, now: MediaInstant) -> [VideoLayerCost] {
    guard let egress = routes[RouteKey(subscriber: subscriber, publisher: publisher)]?.video else { return [] }
    return (0..<layerCount(of: egress)).compactMap { layerCost($0, of: egress, now: now) }
  }

  /// Which encoding a subscriber gets now, as in `LayerTarget`; nil if none.
  public func forwardedLayer(subscriber: UInt64, publisher: UInt64) -> Int? {
    guard let egress = routes[RouteKey(subscriber: subscriber, publisher: publisher)]?.video,
      egresses[egress].phase == .forwarding
    else { return nil }
    let layers = peers[streams[egresses[egress].stream].publisher].layers
    return layers.isEmpty ? 0 : layers.firstIndex { $0.stream == egresses[egress].stream }
  }

  /// When a publisher's video last came, whatever the encoding.
  private func newestArrival(of publisher: Int32) -> MediaInstant? {
    var newest: MediaInstant?
    for position in peers[publisher].layers.indices {
      guard let arrival = streams[peers[publisher].layers[position].stream].lastArrival else { continue }
      newest = max(newest ?? arrival, arrival)
    }
    return newest
  }

  /// Whether packets of an encoding come, if they do of any.
  private func isLive(_ stream: Int32, of publisher: Int32, now: MediaInstant) -> Bool {
    guard let arrival = streams[stream].lastArrival else { return false }
    guard let newest = newestArrival(of: publisher) else { return now - arrival < IngressStream.dryTime }
    return newest - arrival < IngressStream.dryTime
  }

  /// The live encoding that meets a target best: the largest within it, else the smallest; nil if none is live.
  private func bestLayer(of publisher: Int32, for target: LayerTarget) -> Int32? {
    guard let newest = newestArrival(of: publisher) else { return nil }
    var best: Int32?
    for position in peers[publisher].layers.indices {
      let stream = peers[publisher].layers[position].stream
      guard let arrival = streams[stream].lastArrival, newest - arrival < IngressStream.dryTime else { continue }
      guard position <= Int(target.spatial) || best == nil else { break }
      best = stream
    }
    return best
  }

  /// Puts a publisher's encodings in order, and chooses again for everybody who gets one of them.
  mutating func reviewLayers(of publisher: Int32, now: MediaInstant) {
    sortLayers(of: publisher)
    peers[publisher].liveLayers = liveLayers(of: publisher, now: now)
    for egress in streams[peers[publisher].videoStream].fanOut { chooseLayer(of: egress, now: now) }
    for layer in peers[publisher].layers where layer.stream != peers[publisher].videoStream {
      for egress in streams[layer.stream].fanOut { chooseLayer(of: egress, now: now) }
    }
  }

  /// Those whose picture size is known go by it; others keep their places in the order of the offer.
  private mutating func sortLayers(of publisher: Int32) {
    func pixels(_ position: Int) -> Int {
      let size = streams[peers[publisher].layers[position].stream].pictureSize
      return size.width * size.height
    }
    let known = peers[publisher].layers.indices.filter { pixels($0) > 0 }
    for (place, position) in known.enumerated() {
      for other in known[(place + 1)...] where pixels(other) < pixels(position) {
        peers[publisher].layers.swapAt(position, other)
      }
    }
  }

  /// Looks after encodings that have dried up.
  mutating func watchLayers(of publisher: Int32, now: MediaInstant) {
    guard peers[publisher].layers.count > 1,
      liveLayers(of: publisher, now: now) != peers[publisher].liveLayers
    else { return }
    reviewLayers(of: publisher, now: now)
  }

  /// Of which encodings packets come, as bits.
  private func liveLayers(of publisher: Int32, now: MediaInstant) -> UInt8 {
    var live: UInt8 = 0
    for position in peers[publisher].layers.indices
    where isLive(peers[publisher].layers[position].stream, of: publisher, now: now) {
      live |= 1 &<< UInt8(truncatingIfNeeded: position)
    }
    return live
  }

  /// Has an egress go over to the encoding that it should forward now.
  mutating func chooseLayer(of egress: Int32, now: MediaInstant) {
    guard egresses[egress].kind == .video else { return }
    defer { egresses[egress].adjustFilter(to: streams[egresses[egress].stream]) }
    let publisher = streams[egresses[egress].stream].publisher
    guard peers[publisher].layers.count > 1, egresses[egress].phase != .inactive,
      let wanted = bestLayer(of: publisher, for: egresses[egress].target)
    else { return }
    if wanted == egresses[egress].stream { return cancelChange(of: egress) }
    guard wanted != egresses[egress].pending.stream else { return }
    cancelChange(of: egress)
    // A key frame may have brought this about.
    let arrivals = streams[wanted].arrivalCount
    let newest = arrivals > 0 ? streams[wanted].history.record(arrivedAs: arrivals - 1) : nil
    let isReady = newest?.startsKeyFrame ?? false
    if !isReady {
      streams[wanted].keyFrames.subscriberWaits(now: now)
      watch(wanted)
    }
    let start = isReady ? arrivals - 1 : arrivals
    streams[wanted].fanOut.append(egress)
    if egresses[egress].phase == .waiting {
      leave(egresses[egress].stream, egress)
      egresses[egress].wait(for: wanted, from: start)
      egresses[egress].isCountedAsWaiting = !isReady
    } else {
      egresses[egress].pending = PendingLayer(stream: wanted, cursor: start, isCountedAsWaiting: !isReady)
    }
  }

  /// Takes a waiting or changing egress off a stream.
  private mutating func leave(_ stream: Int32, _ egress: Int32) {
    streams[stream].removeFromFanOut(egress)
    guard egresses[egress].isCountedAsWaiting else { return }
    streams[stream].keyFrames.subscriberStopsWaiting()
    egresses[egress].isCountedAsWaiting = false
  }

  /// The present encoding goes on after all.
  mutating func cancelChange(of egress: Int32) {
    let pending = egresses[egress].pending
    guard pending.stream >= 0 else { return }
    streams[pending.stream].removeFromFanOut(egress)
    if pending.isCountedAsWaiting { streams[pending.stream].keyFrames.subscriberStopsWaiting() }
    egresses[egress].pending = PendingLayer()
  }

  /// Goes over to the other encoding if its key frame has come and the last picture of the present one is whole; whether
  /// it has.
  mutating func changeLayerIfReady(of egress: Int32, now: MediaInstant) -> Bool {
    let wanted = egresses[egress].pending.stream
    guard wanted >= 0, egresses[egress].phase == .forwarding,
      let record = egresses[egress].pending.keyFrame(of: streams[wanted], now: now),
      let readySince = egresses[egress].pending.readySince
    else { return false }
    let present = egresses[egress].stream
    guard egresses[egress].isBetweenPictures(of: streams[present]) || now - readySince >= PendingLayer.longestWait
    else {
      return false
    }
    let timestamp = alignedTimestamp(of: record, of: wanted, for: egress)
    streams[present].removeFromFanOut(egress)
    if egresses[egress].pending.isCountedAsWaiting { streams[wanted].keyFrames.subscriberStopsWaiting() }
    egresses[egress].pending = PendingLayer()
    egresses[egress].change(to: wanted, streams[wanted], with: record, timestamp: timestamp, now: now)
    return true
  }

  /// What of an egress's timestamps belongs to a picture of another encoding, by the publisher's reports on both.
  private func alignedTimestamp(of record: PacketRecord, of stream: Int32, for egress: Int32) -> UInt32? {
    guard let present = streams[egresses[egress].stream].sourceReport, let other = streams[stream].sourceReport else {
      return nil
    }
    let clockRate = TrackKind.video.clockRate
    // From the other's report to the picture, and from one report to the other, in ticks.
    let sinceReport = Int32(bitPattern: record.timestamp &- other.rtpTimestamp)
    let between = Int64(bitPattern: other.ntpTimestamp &- present.ntpTimestamp)
    guard between.magnitude < 60 &<< 32 else { return nil }
    let ticks = Int64(sinceReport) + ((between >> 16) * clockRate) >> 16
    return present.rtpTimestamp &+ UInt32(truncatingIfNeeded: ticks) &- egresses[egress].segment.timestampOffset
  }
}
