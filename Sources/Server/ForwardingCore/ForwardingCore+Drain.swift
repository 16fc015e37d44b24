import ICEAgent
public import MediaBase
import RTPWire
import SecureChannel

extension ForwardingCore {
  /// Writes the next datagrams for one destination to the start of `slab` (best 64 KiB, at least 1,500 bytes) and says
  /// where they go; nil when there is nothing more to send now.
  public mutating func drain(into slab: UnsafeMutableRawBufferPointer, now: MediaInstant) -> ForwardRun? {
    queueDueStreams(now: now)
    queueDueProbes(now: now)
    queuePaced(now: now)
    if dirtyStreams.isEmpty { gatherDeadline = nil } else { linkDirtyStreams(now: now) }
    while queueHead < queue.count {
      let peer = queue[queueHead]
      if let run = fill(slab, for: peer, now: now) { return run }
      peers[peer].isQueued = false
      queueHead += 1
    }
    queue.removeAll(keepingCapacity: true)
    queueHead = 0
    reviewProbes(now: now)
    return nil
  }

  /// An answer to a connectivity check; these go to where the check came from, also before the peer is connected.
  private mutating func takeAnswer(of peer: Int32, into slab: UnsafeMutableRawBufferPointer, now: MediaInstant)
    -> ForwardRun?
  {
    guard peers[peer].hasAnswers else { return nil }
    var output = OutputRawSpan(buffer: slab, initializedCount: 0)
    let destination = peers[peer].ice.pollTransmit(into: &output, now: now)
    let count = output.finalize(for: slab)
    guard let destination, count > 0 else {
      peers[peer].hasAnswers = false
      return nil
    }
    return ForwardRun(destination: destination, byteCount: count, segmentSize: count)
  }

  /// A datagram of the peer's DTLS handshake, once there is a path.
  private mutating func takeHandshake(of peer: Int32, into slab: UnsafeMutableRawBufferPointer) -> ForwardRun? {
    guard peers[peer].hasHandshakeOutput, let destination = peers[peer].ice.selectedRemoteAddress else { return nil }
    guard let datagram = takeHandshakeDatagram(of: peer, to: destination), datagram.count <= slab.count else {
      peers[peer].hasHandshakeOutput = peers[peer].heldHandshake != nil
      return nil
    }
    slab.copyBytes(from: datagram)
    return ForwardRun(destination: destination, byteCount: datagram.count, segmentSize: datagram.count)
  }

  mutating func link(_ egress: Int32) {
    guard egresses[egress].phase != .inactive, !egresses[egress].isLinked else { return }
    egresses[egress].isLinked = true
    egresses[egress].next = Pool<Egress>.none
    let peer = egresses[egress].subscriber
    let last = peers[peer].lastLinked
    if last >= 0 { egresses[last].next = egress } else { peers[peer].firstLinked = egress }
    peers[peer].lastLinked = egress
    enqueue(peer)
  }

  /// One run for `peer`: media, then what it asked for again, then reports and requests. Nil when it has nothing left.
  private mutating func fill(
    _ slab: UnsafeMutableRawBufferPointer, for peer: Int32, now: MediaInstant
  ) -> ForwardRun? {
    // A peer is visited again after each run, until there is no more.
    guard peers[peer].hasWork else { return nil }
    if let answer = takeAnswer(of: peer, into: slab, now: now) { return answer }
    if let run = takeHandshake(of: peer, into: slab) { return run }
    guard peers[peer].isConnected, let destination = peers[peer].ice.selectedRemoteAddress else {
      abandon(peer)
      return nil
    }
    var run = RunBuilder(slabByteCount: slab.count)
    if peers[peer].isPaced {
      fillPaced(to: peer, into: slab, &run, now: now)
    } else {
      var isFull = false
      while !isFull, peers[peer].firstLinked >= 0 {
        let egress = peers[peer].firstLinked
        isFull = !forward(egress, to: peer, into: slab, &run, now: now)
        if !isFull { unlinkFirst(of: peer) }
      }
      if !isFull { retransmit(to: peer, into: slab, &run, now: now) }
    }
    if !run.isEmpty {
      if peers[peer].format.transportSequenceExtensionID == 0, let downlink = peers[peer].downlink {
        downlink.pointee.told?.sent(byteCount: run.byteCount + run.segmentCount * Downlink.pathOverhead)
      }
    } else if peers[peer].hasProbe {
      writeProbe(to: peer, into: slab, &run, now: now)
      peers[peer].hasProbe = !run.isEmpty
    }
    if !run.isEmpty {
      if peers[peer].downlink != nil, !peers[peer].isDownlinkTimed {
        peers[peer].isDownlinkTimed = true
        schedule(peer, now: now)
      }
      return ForwardRun(destination: destination, byteCount: run.byteCount, segmentSize: run.segmentSize)
    }
    guard peers[peer].hasControl else { return nil }
    let count = writeControl(to: peer, into: slab, now: now)
    peers[peer].hasControl = count > 0
    return count > 0 ? ForwardRun(destination: destination, byteCount: count, segmentSize: count) : nil
  }

  mutating func unlinkFirst(of peer: Int32) {
    let egress = peers[peer].firstLinked
    guard egress >= 0 else { return }
    let next = egresses[egress].next
    egresses[egress].isLinked = false
    egresses[egress].next = Pool<Egress>.none
    peers[peer].firstLinked = next
    if next < 0 { peers[peer].lastLinked = Pool<Egress>.none }
  }

  /// Drops all that waits for a peer that cannot be sent to.
  private mutating func abandon(_ peer: Int32) {
    while peers[peer].firstLinked >= 0 { unlinkFirst(of: peer) }
    peers[peer].retransmissions.removeAll(keepingCapacity: true)
    peers[peer].reportPosition = nil
  }

  /// Adds an egress's new packets to the run; false if the run must go first.
  mutating func forward(
    _ egress: Int32, to peer: Int32, into slab: UnsafeMutableRawBufferPointer, _ run: inout RunBuilder,
    now: MediaInstant
  ) -> Bool {
    repeat {
      // One look into each pool for all packets, instead of one for each of them.
      let isDone = Self.forward(
        &egresses[egress], of: &streams[egresses[egress].stream], to: &peers[peer], into: slab, &run, &statistics,
        now: now)
      guard isDone else { return false }
    } while changeLayerIfReady(of: egress, now: now)
    return true
  }

  /// Adds the new packets of the stream that an egress carries now.
  private static func forward(
    _ egress: inout Egress, of stream: inout IngressStream, to peer: inout Peer,
    into slab: UnsafeMutableRawBufferPointer, _ run: inout RunBuilder, _ statistics: inout ForwardingStatistics,
    now: MediaInstant
  ) -> Bool {
    forwardPlainly(&egress, of: &stream, to: &peer, into: slab, &run, &statistics, now: now)
    if run.isFull { return false }
    let format = peer.format
    let overhead = peer.rtpOverhead
    while let record = egress.nextPacket(of: &stream, now: now) {
      let size =
        egress.headerLength(of: record, format) + Int(record.payloadLength) - Egress.skippedLength(of: record, format)
        + overhead
      guard run.accepts(size) else {
        if !run.isEmpty { return false }
        egress.moveOn(past: record)
        statistics.droppedOutgoing &+= 1
        continue
      }
      let region = UnsafeMutableRawBufferPointer(rebasing: slab[run.byteCount..<run.byteCount + size])
      egress.moveOn(past: record)
      guard let segment = egress.segment(ofIndex: record.index),
        seal(record, in: segment, of: &stream, for: &egress, peer: &peer, into: region, now: now) == size
      else {
        statistics.droppedOutgoing &+= 1
        continue
      }
      statistics.forwardedPackets &+= 1
      statistics.forwardedBytes &+= UInt64(size)
      run.append(size)
      if run.isFull { return false }
    }
    return true
  }

  /// Adds packets that the peer asked for again to the run, as many as fit.
  mutating func retransmit(
    to peer: Int32, into slab: UnsafeMutableRawBufferPointer, _ run: inout RunBuilder, now: MediaInstant
  ) {
    var done = 0
    while done < peers[peer].retransmissions.count, !run.isFull {
      let wanted = peers[peer].retransmissions[done]
      guard egresses[wanted.egress].phase == .forwarding,
        let segment = egresses[wanted.egress].segment(ofSequence: wanted.sequence),
        let record = streams[segment.stream].history.record(of: wanted.sequence + segment.sequenceOffset)
      else {
        done += 1
        continue
      }
      let size =
        egresses[wanted.egress].headerLength(of: record, peers[peer].format) + 2 + Int(record.payloadLength)
        + peers[peer].rtpOverhead
      guard run.accepts(size) || run.isEmpty else { break }
      done += 1
      guard run.accepts(size) else { continue }
      let region = UnsafeMutableRawBufferPointer(rebasing: slab[run.byteCount..<run.byteCount + size])
      guard
        Self.sealAgain(
          record, in: segment, of: &streams[segment.stream], for: &egresses[wanted.egress], peer: &peers[peer],
          into: region, now: now) == size
      else { continue }
      statistics.retransmittedPackets &+= 1
      run.append(size)
    }
    if done > 0 { peers[peer].retransmissions.removeFirst(done) }
  }
}
