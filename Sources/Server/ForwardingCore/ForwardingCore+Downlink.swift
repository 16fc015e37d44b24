import CongestionControl
import MediaBase
import RTPWire
import SecureChannel

/// What each subscriber's path carries, and what its videos get of it.
extension ForwardingCore {
  /// What one track of sound takes of a path, in bits per second with all headers.
  private static var audioBitrate: Double { 50_000 }
  /// Videos get this share of what is left: they are measured without UDP and IP, and some is sent again.
  private static var videoShare: Double { 0.92 }

  mutating func receiveTransportWideFeedback(
    _ bytes: RawSpan, _ layout: RTCPPacketLayout, from peer: Int32, now: MediaInstant
  ) {
    guard let downlink = peers[peer].downlink else { return }
    do throws(RTPParseError) { try receivedFeedback.read(bytes, at: layout) } catch { return }
    downlink.pointee.estimator.received(receivedFeedback, now: now)
    // A hostile one may be long.
    if receivedFeedback.results.count > 4_096 { receivedFeedback.results.removeAll() }
    if paddingEgress(of: peer) != nil { downlink.pointee.estimator.startProbing(now: now) }
    followPath(to: peer, now: now)
  }

  mutating func receiveReceiverEstimate(
    _ bytes: RawSpan, _ layout: RTCPPacketLayout, from peer: Int32, now: MediaInstant
  ) {
    guard let bitrate = RTCPFeedback.receiverEstimate(in: bytes, at: layout) else { return }
    // Who gets no transport-wide numbers is followed by its own estimates alone.
    if peers[peer].downlink == nil { peers[peer].makeDownlink(now: now) }
    guard let downlink = peers[peer].downlink else { return }
    if peers[peer].format.transportSequenceExtensionID == 0 {
      var told = downlink.pointee.told ?? ToldPath()
      told.received(bitrate: min(Double(bitrate), 1e12), now: now)
      downlink.pointee.told = told
    } else {
      downlink.pointee.estimator.received(remoteBitrate: bitrate, now: now)
    }
    followPath(to: peer, now: now)
  }

  /// What is due for the path to a peer; called with every sweep.
  mutating func sweepDownlink(of peer: Int32, now: MediaInstant) {
    guard let downlink = peers[peer].downlink else { return }
    if let timeout = downlink.pointee.estimator.nextTimeout, timeout <= now {
      downlink.pointee.estimator.handleTimeout(now: now)
    }
    if downlink.pointee.told != nil {
      let sent = sentByteCounts(to: peer)
      downlink.pointee.told?.noteSent(video: sent.video, audio: sent.audio, now: now)
    }
    followPath(to: peer, now: now)
  }

  /// Payload of video sent to a peer so far, and sound with all headers, modulo 2^32.
  private func sentByteCounts(to peer: Int32) -> (video: UInt32, audio: UInt32) {
    let headers = UInt32(Self.paddingHeaderLength + peers[peer].rtpOverhead + Downlink.pathOverhead)
    var (video, audio): (UInt32, UInt32) = (0, 0)
    for egress in peers[peer].egresses {
      switch egresses[egress].kind {
      case .video: video &+= egresses[egress].octetCount
      case .audio: audio &+= egresses[egress].octetCount &+ egresses[egress].packetCount &* headers
      }
    }
    return (video, audio)
  }

  private mutating func followPath(to peer: Int32, now: MediaInstant) {
    guard let downlink = peers[peer].downlink, peers[peer].isConnected else { return }
    if downlink.pointee.needsAllocation(now: now) { allocate(to: peer, now: now) }
    updatePace(to: peer)
    beginProbe(to: peer, now: now)
  }

  /// A peer is at another address: what is known of the path to it may be wrong. As for a new one, it gets everything until
  /// more is known.
  mutating func pathChanged(of peer: Int32, now: MediaInstant) {
    guard let downlink = peers[peer].downlink else { return }
    downlink.pointee = Downlink(now: now)
    updatePace(to: peer)
    for egress in peers[peer].egresses where egresses[egress].kind == .video {
      setPaused(false, egress, now: now)
      setAllotment(of: egress, .best, now: now)
    }
  }

  // MARK: Allocation

  /// What may become of a subscriber's videos where its path does not carry them, from now on; `audioOnly` to begin with.
  public mutating func setFallback(_ fallback: VideoFallback, client: UInt64, now: MediaInstant) {
    guard let peer = peersByClient[client], peers[peer].fallback != fallback else { return }
    peers[peer].fallback = fallback
    if fallback != .audioOnly {
      for egress in peers[peer].egresses where egresses[egress].kind == .video { setPaused(false, egress, now: now) }
    }
    allocate(to: peer, now: now)
  }

  private mutating func allocate(to peer: Int32, now: MediaInstant) {
    guard let downlink = peers[peer].downlink, let total = downlink.pointee.targetBitrate else { return }
    downlink.pointee.lastAllocation = now
    downlink.pointee.allocatedBitrate = total
    allocation.removeAll()
    var audioCount = 0.0
    var demand = 0.0
    for position in peers[peer].egresses.indices {
      let egress = peers[peer].egresses[position]
      guard egresses[egress].isWanted else { continue }
      guard egresses[egress].kind == .video else {
        if egresses[egress].phase == .forwarding { audioCount += 1 }
        continue
      }
      demand += addToAllocation(egress, now: now)
    }
    let audio = audioCount * Self.audioBitrate
    let wanted = demand * 1.2 / Self.videoShare + audio
    downlink.pointee.estimator.setDemand(Int(wanted), now: now)
    downlink.pointee.told?.demand = wanted
    let loss = downlink.pointee.estimator.inherentLossRate ?? 0
    let bitrate = (Double(total) - audio) * Self.videoShare * (1 - loss)
    if peers[peer].fallback == .none
      || downlink.pointee.hysteresis.keepsAll(allocation.tracks, bitrate: bitrate)
    {
      for index in allocation.videos.indices { setAllotment(of: allocation.videos[index], .best, now: now) }
      if Double(total) >= wanted { downlink.pointee.told?.release() }
      return
    }
    let chosen = downlink.pointee.hysteresis.choose(allocation.tracks, bitrate: bitrate, now: now)
    let lowest = peers[peer].fallback == .lowest ? 0 : -1
    for (index, rung) in chosen.enumerated() {
      let rung = max(rung, lowest)
      let egress = allocation.videos[index]
      setPaused(rung < 0, egress, now: now)
      guard rung >= 0 else { continue }
      // At the top of its ladder a video takes what comes, also encodings that start later.
      let rungs = allocation.tracks[index].rungs
      setAllotment(of: egress, rung == rungs.count - 1 ? .best : rungs[rung].target, now: now)
    }
  }

  /// Adds a video that can be forwarded; returns what all of it takes.
  private mutating func addToAllocation(_ egress: Int32, now: MediaInstant) -> Double {
    var rungs = allocation.takeRungs()
    addLadder(of: egress, to: &rungs, now: now)
    guard let top = rungs.last else {
      allocation.giveBack(&rungs)
      return 0
    }
    let allotment = egresses[egress].allotment
    let current = egresses[egress].isPaused ? -1 : rungs.lastIndex { $0.target.isWithin(allotment) } ?? 0
    allocation.videos.append(egress)
    allocation.tracks.append(AllocatedTrack(rungs: rungs, current: current))
    return top.bitrate
  }

  /// What can be forwarded of a video within the subscriber's wish, cheapest first: the temporal layers of the smallest
  /// encoding one after the other, then the larger ones whole.
  private func addLadder(of egress: Int32, to rungs: inout [AllocationRung], now: MediaInstant) {
    let wish = egresses[egress].wish
    for spatial in 0..<layerCount(of: egress) {
      guard let cost = layerCost(spatial, of: egress, now: now), cost.isLive else { continue }
      if spatial > Int(wish.spatial), !rungs.isEmpty { break }
      let highest = min(cost.highestTemporalID, wish.temporal)
      for temporal in rungs.isEmpty ? 0...highest : highest...highest {
        let bitrate = Double(cost.bitrate(temporalLimit: temporal))
        guard bitrate > rungs.last?.bitrate ?? 0 else { continue }
        rungs.append(
          AllocationRung(
            target: LayerTarget(spatial: UInt8(clamping: spatial), temporal: temporal == highest ? .max : temporal),
            bitrate: bitrate))
      }
    }
  }

  /// Stops a video that does not fit at all, or lets it begin again with a key frame.
  private mutating func setPaused(_ isPaused: Bool, _ egress: Int32, now: MediaInstant) {
    guard egresses[egress].isPaused != isPaused else { return }
    egresses[egress].isPaused = isPaused
    refresh(egress, now: now)
    events.append(
      .videoPaused(
        subscriber: peers[egresses[egress].subscriber].client,
        publisher: peers[streams[egresses[egress].stream].publisher].client, isPaused))
  }

  // MARK: Probes

  private mutating func beginProbe(to peer: Int32, now: MediaInstant) {
    guard let downlink = peers[peer].downlink, !downlink.pointee.prober.isProbing, paddingEgress(of: peer) != nil,
      let cluster = downlink.pointee.pollProbe(now: now)
    else { return }
    downlink.pointee.prober.begin(cluster, now: now)
    if !probedPeers.contains(peer) { probedPeers.append(peer) }
    nextProbe = MediaInstant.earliest(nextProbe, now)
  }

  /// Queues the peers whose probes go on now.
  mutating func queueDueProbes(now: MediaInstant) {
    guard let due = nextProbe, due <= now else { return }
    for peer in probedPeers where peers.contains(peer) {
      peers[peer].hasProbe = true
      enqueue(peer)
    }
  }

  /// Adds packets of a running probe to the run: on the retransmission stream of a video, with nothing but padding.
  mutating func writeProbe(
    to peer: Int32, into slab: UnsafeMutableRawBufferPointer, _ run: inout RunBuilder, now: MediaInstant
  ) {
    guard let downlink = peers[peer].downlink, downlink.pointee.prober.isProbing,
      let egress = paddingEgress(of: peer)
    else { return }
    while !run.isFull, downlink.pointee.prober.next(of: .padding, now: now) != nil {
      let size = Self.paddingHeaderLength + 255 + peers[peer].rtpOverhead
      guard run.accepts(size) else { return }
      let region = UnsafeMutableRawBufferPointer(rebasing: slab[run.byteCount..<run.byteCount + size])
      guard
        let length = Self.sealPadding(
          for: &egresses[egress], peer: &peers[peer], cluster: downlink.pointee.prober.cluster, into: region, now: now)
      else { return }
      downlink.pointee.prober.sent(byteCount: length + Downlink.pathOverhead, now: now)
      run.append(length)
    }
  }

  /// Forgets probes that are over, and finds out when the others go on.
  mutating func reviewProbes(now: MediaInstant) {
    guard nextProbe != nil else { return }
    nextProbe = nil
    var position = 0
    while position < probedPeers.count {
      let peer = probedPeers[position]
      guard peers.contains(peer), let downlink = peers[peer].downlink, peers[peer].isConnected,
        isProbing(downlink, now: now)
      else {
        probedPeers.swapAt(position, probedPeers.count - 1)
        probedPeers.removeLast()
        continue
      }
      // Timers of a millisecond are fine enough, and whatever holds up a probe must not keep the worker awake.
      let next = downlink.pointee.prober.nextTimeout(of: .padding) ?? now
      nextProbe = MediaInstant.earliest(nextProbe, max(next, now + .milliseconds(1)))
      position += 1
    }
  }

  /// Whether a cluster is being sent; begins the next one if there is one.
  private func isProbing(_ downlink: UnsafeMutablePointer<Downlink>, now: MediaInstant) -> Bool {
    if downlink.pointee.prober.isProbing { return true }
    guard let cluster = downlink.pointee.pollProbe(now: now) else { return false }
    downlink.pointee.prober.begin(cluster, now: now)
    return true
  }

  /// A video of the peer whose retransmission stream may carry padding.
  private func paddingEgress(of peer: Int32) -> Int32? {
    guard peers[peer].format.rtxPayloadType != nil, Self.paddingElement(peers[peer].format) != nil else { return nil }
    return peers[peer].egresses.first {
      egresses[$0].kind == .video && egresses[$0].rtxSSRC != 0 && egresses[$0].isWanted
    }
  }

  /// What padding carries so that the receiver, or we by its feedback, can see how the path takes it.
  private enum PaddingElement {
    case transportNumber(id: UInt8)
    case sendTime(id: UInt8)
  }

  private static func paddingElement(_ format: ForwardedFormat) -> PaddingElement? {
    let (number, time) = (format.transportSequenceExtensionID, format.extensions.sendTimeID)
    if (1...14).contains(number) { return .transportNumber(id: number) }
    return number == 0 && (1...14).contains(time) && !format.extensions.usesTwoByteForm ? .sendTime(id: time) : nil
  }

  /// Fixed part, and an extension block of one word.
  private static var paddingHeaderLength: Int { RTPHeader.byteCount + 8 }

  /// A packet of 255 bytes of padding (RFC 3550 section 5.1), with the next numbers of a video's retransmissions.
  private static func sealPadding(
    for egress: inout Egress, peer: inout Peer, cluster: UInt8, into region: UnsafeMutableRawBufferPointer,
    now: MediaInstant
  ) -> Int? {
    guard let payloadType = peer.format.rtxPayloadType, let element = paddingElement(peer.format) else { return nil }
    let header = RTPHeader(
      marker: false, payloadType: payloadType, sequenceNumber: egress.nextRTXSequenceNumber,
      timestamp: egress.highestTimestamp, ssrc: egress.rtxSSRC)
    var output = OutputRawSpan(buffer: region, initializedCount: 0)
    guard header.write(into: &output, hasExtension: true) else { return nil }
    switch element {
    case .transportNumber(let id):
      RTPHeaderExtension.writePrefix(elementBytes: 3, into: &output)
      RTPHeaderExtension.writeTransportSequenceNumber(id: id, peer.transportSequenceNumber, into: &output)
      RTPHeaderExtension.writePadding(elementBytes: 3, into: &output)
    case .sendTime(let id):
      RTPHeaderExtension.writePrefix(elementBytes: 4, into: &output)
      RTPHeaderExtension.writeElement(id: id, byteCount: 3, twoByteForm: false, into: &output)
      output.appendBigEndian24(RTPHeaderExtension.sendTime(of: now))
    }
    let headerLength = output.finalize(for: region)
    region[0] |= 0x20
    let length = withUnsafeTemporaryAllocation(byteCount: 255, alignment: 8) { padding -> Int? in
      padding.initializeMemory(as: UInt8.self, repeating: 0)
      padding[254] = 255
      return try? peer.sender?.protectRTP(
        headerIn: region, headerLength: headerLength, payload: UnsafeRawBufferPointer(padding))
    }
    guard let length else { return nil }
    peer.noteSent(byteCount: length, cluster: cluster, now: now)
    egress.nextRTXSequenceNumber &+= 1
    peer.transportSequenceNumber &+= 1
    return length
  }
}

extension LayerTarget {
  /// Whether a rung of a ladder is within what is allotted.
  func isWithin(_ other: LayerTarget) -> Bool {
    if spatial != other.spatial { return spatial < other.spatial }
    return temporal <= other.temporal
  }
}
