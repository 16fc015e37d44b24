public import MediaBase
public import RTPWire

extension BandwidthEstimator {
  /// Takes transport-wide feedback. Packets that it does not know, or that have been reported received before, do not
  /// count; one that was reported lost and is received after all does.
  public mutating func received(_ feedback: TransportFeedback, now: MediaInstant) {
    advance(now: now)
    // The memory of the last time; it is small unless feedback came in hours.
    var arrived: [AcknowledgedPacket] = []
    swap(&arrived, &acknowledged)
    defer {
      arrived.removeAll(keepingCapacity: arrived.count <= 256)
      swap(&arrived, &acknowledged)
    }
    var resolvedCount = 0
    for result in feedback.results {
      guard let packet = ledger.packet(result.sequenceNumber, now: now) else { continue }
      resolve(packet, result, resolvedCount: &resolvedCount, into: &arrived)
    }
    let presumed = presumedByteCount(feedback, now: now)
    guard resolvedCount > 0 else { return }
    lastFeedback = now
    lastDecay = nil
    // They come in the order of their numbers, which is nearly always that of their times.
    if !Self.isInOrder(arrived) { arrived.sort { $0.arrival < $1.arrival } }
    take(arrived, presumedByteCount: presumed, now: now)
    closeLossWindow(now: now)
    endSilence(resolvedCount: resolvedCount, lostCount: resolvedCount - arrived.count, now: now)
  }

  /// Takes back what was lowered only because nothing was heard, where what was sent arrives as before: the other side was
  /// busy, or its feedback was lost.
  private mutating func endSilence(resolvedCount: Int, lostCount: Int, now: MediaInstant) {
    guard var silence else { return }
    silence.add(resolvedCount: resolvedCount, lostCount: lostCount)
    let hasQueue = detector.usage == .overusing || queueDelayTracker.value ?? .zero > Self.longQueue
    let verdict = silence.verdict(hasQueue: hasQueue)
    self.silence = verdict == nil ? silence : nil
    if verdict == .harmless, silence.rate > aimd.rate { aimd.setRate(silence.rate, now: now) }
  }

  private static func isInOrder(_ packets: [AcknowledgedPacket]) -> Bool {
    for index in packets.indices.dropFirst() where packets[index].arrival < packets[index - 1].arrival { return false }
    return true
  }

  private mutating func resolve(
    _ packet: SentPacketLedger.Packet, _ result: TransportFeedback.PacketResult, resolvedCount: inout Int,
    into arrived: inout [AcknowledgedPacket]
  ) {
    guard let arrival = result.arrivalTime else {
      guard packet.state == .inFlight else { return }
      ledger.setState(.lost, of: result.sequenceNumber)
      lossWindow.add(received: 0, lost: 1)
      resolvedCount += 1
      return
    }
    guard packet.state != .received else { return }
    if packet.state == .lost { lossWindow.recover() } else { lossWindow.add(received: 1, lost: 0) }
    ledger.setState(.received, of: result.sequenceNumber)
    resolvedCount += 1
    arrived.append(
      AcknowledgedPacket(
        sentAt: packet.sentAt, arrival: arrivalClock.unwrap(arrival), byteCount: packet.byteCount,
        cluster: packet.cluster))
  }

  /// Bytes of packets whose feedback was lost: they most likely arrived like the others.
  private mutating func presumedByteCount(_ feedback: TransportFeedback, now: MediaInstant) -> Int {
    guard let first = feedback.results.first?.sequenceNumber, let last = feedback.results.last?.sequenceNumber else {
      return 0
    }
    defer {
      if let reported, Int16(bitPattern: last &+ 1 &- reported.end) <= 0 {
        self.reported = (reported.end, feedback.feedbackCount)
      } else {
        reported = (last &+ 1, feedback.feedbackCount)
      }
    }
    guard let reported, feedback.feedbackCount &- reported.feedbackCount > 1 else { return 0 }
    let missing = Int16(bitPattern: first &- reported.end)
    guard missing > 0, missing < 1_024 else { return 0 }
    var sum = 0
    for offset in 0..<UInt16(missing) {
      if let packet = ledger.packet(reported.end &+ offset, now: now), packet.state == .inFlight {
        sum += packet.byteCount
      }
    }
    return Int(Double(sum) * (1 - lossWindow.smoothedLoss))
  }

  private mutating func take(_ arrived: [AcknowledgedPacket], presumedByteCount: Int, now: MediaInstant) {
    guard let newest = arrived.last else { return }
    var presumed = presumedByteCount
    var probed: Double?
    var isSaturated = false
    var leastDifference = newest.arrival - newest.sentAt
    let limit = max(2 * sentRate.maximum, 10_000)
    for packet in arrived {
      acknowledgedRate.add(
        byteCount: packet.byteCount + presumed, arrival: packet.arrival, limit: limit,
        isApplicationLimited: applicationLimit.isLimited)
      presumed = 0
      if let delta = groups.add(packet) { detector.add(delta, now: now) }
      if let result = measurement.add(packet) {
        probed = min(result.rate, 10 * limit)
        isSaturated = result.isSaturated
      }
      leastDifference = min(leastDifference, packet.arrival - packet.sentAt)
    }
    if isSaturated { lastLimit = now }
    queueDelayTracker.add(leastDifference: leastDifference, now: now)
    addRoundTrip(now - newest.sentAt)
    control(probed: probed, limit: limit, now: now)
  }

  private mutating func control(probed: Double?, limit: Double, now: MediaInstant) {
    let grewLately = applicationLimit.wasLimited(now: now) || aimd.wasRaised(now: now)
    let hasQueue = queueDelayTracker.value ?? .zero > Self.longQueue
    let acknowledged =
      hasQueue
      ? acknowledgedRate.behindQueue : grewLately ? acknowledgedRate.afterGrowth : acknowledgedRate.bitsPerSecond
    let usage = queueDelayTracker.isGrowing ? .overusing : detector.usage
    let before = aimd.rate
    if let probed, usage != .overusing, probed > aimd.rate || !hasEstimate || probes.isStarting {
      aimd.setRate(probed, now: now)
      hasEstimate = true
      probes.received(result: probed, now: now)
    } else {
      if !hasEstimate, let acknowledged {
        aimd.setRate(max(aimd.rate, acknowledged), now: now)
        hasEstimate = true
      }
      aimd.update(
        usage, acknowledged: acknowledged, limit: limit, roundTripTime: roundTripTime ?? .milliseconds(200),
        now: now)
      if aimd.rate < before { hasEstimate = true }
    }
    if usage == .normal, standingQueue.update(queueDelayTracker.value ?? .zero, now: now) {
      if standingQueue.isForeign {
        queueDelayTracker.acceptAsBase()
      } else {
        aimd.decrease(acknowledged: acknowledged, now: now)
      }
    }
    if aimd.rate < before { decreased(from: before, now: now) }
  }

  mutating func decreased(from rate: Double, now: MediaInstant) {
    lastLimit = now
    probes.decreased(from: rate, now: now)
  }

  mutating func addRoundTrip(_ sample: MediaDuration) {
    guard sample >= .zero, sample <= .seconds(10 as Int64) else { return }
    roundTripTime = roundTripTime.map { $0 + (sample - $0) / 8 } ?? sample
  }
}
