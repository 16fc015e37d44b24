import CongestionControl
import MediaBase

/// Spreads pictures over time for subscribers whose paths have shown lately that more does not fit. For all others
/// everything goes out in the turn in which it has come.
extension ForwardingCore {
  /// How much faster than the estimate pictures may go out: as much more as key frames are larger, and no more than lets
  /// sound between them.
  private static var paceFactor: Double { 1.5 }
  /// A path where packets wait so long gets no more than the estimate: what is sent beyond waits there, and sound behind it.
  private static var longQueue: MediaDuration { .milliseconds(60) }

  /// Follows the estimate of a peer's path.
  mutating func updatePace(to peer: Int32) {
    guard let downlink = peers[peer].downlink else { return }
    // Of who only tells an estimate it is not known how long packets wait.
    let isQueueing = downlink.pointee.told != nil || downlink.pointee.estimator.queueDelay ?? .zero > Self.longQueue
    downlink.pointee.pacer.setRate(
      targetBitrate: downlink.pointee.targetBitrate, isLimited: downlink.pointee.isLimited,
      queuedByteCount: peers[peer].isPaced && !isQueueing ? queuedByteCount(to: peer) : 0,
      factor: isQueueing ? 1 : Self.paceFactor)
    guard downlink.pointee.pacer.isPacing != peers[peer].isPaced else { return }
    peers[peer].isPaced.toggle()
    if !peers[peer].isPaced { enqueue(peer) }
  }

  /// About as many bytes of pictures as wait for the path to a peer.
  private func queuedByteCount(to peer: Int32) -> Int {
    var packetCount: UInt64 = 0
    var egress = peers[peer].firstLinked
    while egress >= 0 {
      let arrivals = streams[egresses[egress].stream].arrivalCount
      if egresses[egress].kind == .video, egresses[egress].phase == .forwarding, arrivals > egresses[egress].cursor {
        packetCount += arrivals - egresses[egress].cursor
      }
      egress = egresses[egress].next
    }
    return Int(min(packetCount, 1_000)) * 1_200
  }

  /// Adds to the run what may go out now: all sound, and of the rest as much as fits the pace. What has to wait stays linked.
  mutating func fillPaced(
    to peer: Int32, into slab: UnsafeMutableRawBufferPointer, _ run: inout RunBuilder, now: MediaInstant
  ) {
    let hasRoom = forwardSound(to: peer, into: slab, &run, now: now)
    guard let downlink = peers[peer].downlink else { return }
    if !run.isEmpty { downlink.pointee.pacer.sent(byteCount: run.byteCount, now: now) }
    guard hasRoom else { return }
    let waiting = waitingKinds(of: peer)
    guard !waiting.isEmpty else { return }
    guard let kind = downlink.pointee.pacer.next(of: waiting, now: now) else {
      return waitForPace(peer, waiting, now: now)
    }
    run.limit(byteCount: run.byteCount + downlink.pointee.pacer.runByteCountLeft)
    let before = run.byteCount
    if kind == .retransmission {
      retransmit(to: peer, into: slab, &run, now: now)
    } else {
      forwardPictures(to: peer, into: slab, &run, now: now)
    }
    guard run.byteCount > before else {
      // Nothing of it can be sent; what else waits has its turn next.
      return waitForPace(peer, waitingKinds(of: peer), now: now)
    }
    downlink.pointee.pacer.sent(byteCount: run.byteCount - before, now: now)
  }

  private mutating func forwardPictures(
    to peer: Int32, into slab: UnsafeMutableRawBufferPointer, _ run: inout RunBuilder, now: MediaInstant
  ) {
    while !run.isFull, peers[peer].firstLinked >= 0 {
      let egress = peers[peer].firstLinked
      // What waits of the present encoding is worth nothing once a key frame of the other one is there.
      _ = changeLayerIfReady(of: egress, now: now)
      guard forward(egress, to: peer, into: slab, &run, now: now) else { return }
      unlinkFirst(of: peer)
    }
  }

  private func waitingKinds(of peer: Int32) -> Pacer.Kinds {
    var kinds: Pacer.Kinds = []
    if !peers[peer].retransmissions.isEmpty { kinds.insert(.retransmission) }
    if peers[peer].firstLinked >= 0 { kinds.insert(.video) }
    return kinds
  }

  /// Adds all new sound and takes its egresses off the list; false if the run must go first.
  private mutating func forwardSound(
    to peer: Int32, into slab: UnsafeMutableRawBufferPointer, _ run: inout RunBuilder, now: MediaInstant
  ) -> Bool {
    var egress = peers[peer].firstLinked
    while egress >= 0 {
      let next = egresses[egress].next
      if egresses[egress].kind == .audio {
        guard forward(egress, to: peer, into: slab, &run, now: now) else { return false }
        unlink(egress)
      }
      egress = next
    }
    return true
  }

  private mutating func waitForPace(_ peer: Int32, _ waiting: Pacer.Kinds, now: MediaInstant) {
    guard let time = peers[peer].downlink?.pointee.pacer.nextTimeout(of: waiting) else { return }
    if !pacedPeers.contains(peer) { pacedPeers.append(peer) }
    // Timers of a millisecond are fine enough.
    nextPace = MediaInstant.earliest(nextPace, max(time, now + .milliseconds(1)))
  }

  /// Queues the peers whose pictures may go on.
  mutating func queuePaced(now: MediaInstant) {
    guard let time = nextPace, time <= now else { return }
    nextPace = nil
    for peer in pacedPeers where peers.contains(peer) { enqueue(peer) }
    pacedPeers.removeAll(keepingCapacity: true)
  }
}
