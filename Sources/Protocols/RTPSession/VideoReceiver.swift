import MediaBase
import RTPWire

/// One received video stream: counts, asks again for what is missing, and puts pictures together.
struct VideoReceiver {
  let ssrc: UInt32
  let rtxSSRC: UInt32?
  var reception = ReceptionStatistics(clockRate: 90_000)
  private var assembler = VideoAssembler()
  private var missing = MissingPackets()
  /// The first packet may have overtaken others: the earliest one that has come since the stream began.
  private var lowest: Int64?
  private var keyFrames = KeyFrameRequester()
  private var counters = ReceiveStatistics()
  /// When pictures were captured.
  var captureClock = CaptureClock(clockRate: 90_000)

  init(ssrc: UInt32, rtxSSRC: UInt32?) {
    self.ssrc = ssrc
    self.rtxSSRC = rtxSSRC
  }

  var statistics: ReceiveStatistics {
    var result = counters
    result.packetsLost = max(0, Int(reception.cumulativeLost) - counters.packetsRecovered)
    result.jitter = reception.jitter
    result.endToEndDelay = captureClock.delay
    result.transit = captureClock.transit
    return result
  }

  var deadline: MediaInstant? { .earliest(missing.deadline, keyFrames.deadline) }

  /// A packet of the stream itself. `isVP8` is false for payload types that are not pictures.
  mutating func receive(
    _ header: RTPHeader, payload: RawSpan, isVP8: Bool, now: MediaInstant, roundTripTime: MediaDuration?,
    into output: inout ReceiverOutput
  ) {
    let highest = reception.highest
    let index: Int64
    switch reception.receive(header, now: now) {
    case .accepted(let accepted):
      index = accepted
      notice(index, after: highest, now: now)
    case .restarted(let restarted):
      index = restarted
      assembler.restart()
      missing.removeAll()
      lowest = restarted
    case .duplicate, .rejected:
      counters.packetsDiscarded &+= 1
      return
    }
    output.isFirstPacket = highest == nil
    count(payload)
    take(VideoPacket(header, payload: isVP8 ? payload : payload.extracting(0..<0)), at: index, now: now, &output)
    finish(now: now, roundTripTime: roundTripTime, into: &output)
  }

  /// A packet of the retransmission stream (RFC 4588 section 4): the lost packet's number, then its payload.
  mutating func receiveRetransmission(
    _ header: RTPHeader, payload: RawSpan, now: MediaInstant, roundTripTime: MediaDuration?,
    into output: inout ReceiverOutput
  ) {
    // Shorter ones only pad.
    guard payload.byteCount >= 2 else { return }
    var original = header
    original.sequenceNumber = payload.uint16(at: 0)
    let highest = reception.highest
    guard let index = reception.recover(original.sequenceNumber) else {
      counters.packetsDiscarded &+= 1
      return
    }
    // While the round trip is unknown, it may be longer than the time between requests, and then every answer is ambiguous.
    if let answer = notice(index, after: highest, now: now), !answer.isAmbiguous || roundTripTime == nil {
      output.roundTripSample = now - answer.firstRequest
    }
    counters.packetsRecovered &+= 1
    count(payload)
    take(VideoPacket(original, payload: payload.extracting(2..<payload.byteCount)), at: index, now: now, &output)
    finish(now: now, roundTripTime: roundTripTime, into: &output)
  }

  mutating func requestKeyFrame(now: MediaInstant, roundTripTime: MediaDuration?, into output: inout ReceiverOutput) {
    keyFrames.want(now: now, roundTripTime: roundTripTime)
    finish(now: now, roundTripTime: roundTripTime, into: &output)
  }

  mutating func handleTimeout(now: MediaInstant, roundTripTime: MediaDuration?, into output: inout ReceiverOutput) {
    finish(now: now, roundTripTime: roundTripTime, into: &output)
  }

  /// The sender has ended the stream: nobody is there to be asked for anything.
  mutating func end() {
    missing.removeAll()
    keyFrames.stop()
  }

  /// The packet at `index` has come: those between it and the highest one before are missing, itself is not any more. The
  /// same holds for those behind it, if it comes from before the first one: a key frame may have lost its middle.
  /// Returns how it was asked for, if it was.
  @discardableResult
  private mutating func notice(_ index: Int64, after highest: Int64?, now: MediaInstant) -> MissingPackets.Answer? {
    if let lowest, index < lowest {
      self.lowest = index
      if !missing.add(index + 1..<lowest, now: now) { assembler.restart() }
      return nil
    }
    lowest = lowest ?? index
    guard let highest, index > highest else { return missing.remove(index) }
    if !missing.add(highest + 1..<index, now: now) { assembler.restart() }
    return nil
  }

  private mutating func count(_ payload: RawSpan) {
    counters.packetsReceived &+= 1
    counters.payloadBytesReceived &+= payload.byteCount
  }

  private mutating func take(_ packet: VideoPacket, at index: Int64, now: MediaInstant, _ output: inout ReceiverOutput)
  {
    keyFrames.packetArrived(now: now)
    assembler.insert(packet, at: index, now: now, into: &output.frames)
  }

  /// Everything that may follow from a packet or from time.
  private mutating func finish(now: MediaInstant, roundTripTime: MediaDuration?, into output: inout ReceiverOutput) {
    // Nothing before the key frame that everything waits for is of use any more.
    let awaited = assembler.isWaitingForKeyFrame ? assembler.arrivingKeyFrame?.index : nil
    if let next = awaited ?? assembler.next { missing.removeAll(below: next) }
    if let highest = reception.highest,
      let abandoned = missing.takeDue(
        highest: highest, now: now, roundTripTime: roundTripTime, isForKeyFrame: awaited != nil, into: &output.lost)
    {
      assembler.giveUp(abandoned, into: &output.frames)
      if let next = assembler.next { missing.removeAll(below: next) }
    }
    counters.retransmissionsRequested &+= output.lost.count
    for frame in output.frames {
      counters.framesDelivered &+= 1
      guard frame.isKeyFrame else { continue }
      counters.keyFramesDelivered &+= 1
      keyFrames.keyFrameArrived()
    }
    if assembler.hasBroken {
      assembler.hasBroken = false
      counters.decodingBreaks &+= 1
    }
    if assembler.isWaitingForKeyFrame, assembler.next != nil, !keyFrames.isWanted {
      keyFrames.want(now: now, roundTripTime: roundTripTime)
    }
    let isArriving = assembler.arrivingKeyFrame.map { now - $0.time < .seconds(3 as Int64) } ?? false
    if keyFrames.takeDue(now: now, roundTripTime: roundTripTime, isArriving: isArriving) {
      output.requestsKeyFrame = true
      counters.keyFramesRequested &+= 1
    }
  }
}
