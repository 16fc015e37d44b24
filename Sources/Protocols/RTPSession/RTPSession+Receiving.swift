import CongestionControl
import MediaBase
import RTPWire

extension RTPSession {
  /// Takes a decrypted RTP packet. What is no RTP packet is ignored.
  public mutating func receiveRTP(_ packet: RawSpan, now: MediaInstant) {
    latest = max(latest, now)
    guard let layout = try? RTPPacketLayout(parsing: packet) else { return }
    recordArrival(packet, layout, now: now)
    let header = layout.header
    let payload = packet.extracting(layout.payloadRange)
    if videoReceivers[header.ssrc] != nil {
      if let range = layout.headerExtension(id: configuration.parameters.captureTimeExtension, in: packet),
        range.count == 8 || range.count == 16
      {
        videoReceivers[header.ssrc]?.captureClock.told(packet.uint64(at: range.lowerBound), of: header.timestamp)
      }
      videoReceivers[header.ssrc]?.receive(
        header, payload: payload, isVP8: header.payloadType == configuration.parameters.vp8, now: now,
        roundTripTime: roundTrip.value, into: &output)
      finish(header.ssrc, now: now)
    } else if audioReceivers[header.ssrc] != nil {
      receiveAudio(packet, layout, now: now)
    } else if let ssrc = mediaSSRCs[header.ssrc] {
      guard header.payloadType == configuration.parameters.rtx else { return }
      var original = header
      original.ssrc = ssrc
      videoReceivers[ssrc]?.receiveRetransmission(
        original, payload: payload, now: now, roundTripTime: roundTrip.value, into: &output)
      finish(ssrc, now: now)
    } else {
      earlyPackets.add(packet, ssrc: header.ssrc, now: now)
      deadline = .earliest(deadline, earlyPackets.deadline)
    }
  }

  /// Asks the sender of a video stream for a key frame, because the decoder cannot go on: at once, and again until it
  /// comes.
  public mutating func requestKeyFrame(ssrc: UInt32, now: MediaInstant) {
    latest = max(latest, now)
    guard videoReceivers[ssrc] != nil else { return }
    videoReceivers[ssrc]?.requestKeyFrame(now: now, roundTripTime: roundTrip.value, into: &output)
    finish(ssrc, now: now)
  }

  /// Does everything that has become due at `now`.
  public mutating func handleTimeout(now: MediaInstant) {
    latest = max(latest, now)
    if let deadline, now >= deadline { handleStreamTimeouts(now: now) }
    if let reportDeadline, now >= reportDeadline { sendReports(now: now) }
    if let pacingDeadline, now >= pacingDeadline { self.pacingDeadline = nil }
    bandwidth.handleTimeout(now: now)
    sendTransportFeedbackIfDue(now: now)
  }

  private mutating func handleStreamTimeouts(now: MediaInstant) {
    earlyPackets.expire(now: now)
    var next = earlyPackets.deadline
    for ssrc in videoReceivers.keys.sorted() {
      if let due = videoReceivers[ssrc]?.deadline, now >= due {
        videoReceivers[ssrc]?.handleTimeout(now: now, roundTripTime: roundTrip.value, into: &output)
        finish(ssrc, now: now)
      }
      next = .earliest(next, videoReceivers[ssrc]?.deadline)
    }
    for ssrc in sendStreams.keys.sorted() {
      if sendStreams[ssrc]?.keyFrameRequests.handleTimeout(now: now) == true {
        events.append(.keyFrameRequested(ssrc: ssrc))
      }
      next = .earliest(next, sendStreams[ssrc]?.keyFrameRequests.deadline)
    }
    deadline = next
  }

  private mutating func receiveAudio(_ packet: RawSpan, _ layout: RTPPacketLayout, now: MediaInstant) {
    let header = layout.header
    guard let result = audioReceivers[header.ssrc]?.receive(header, payloadBytes: layout.payloadRange.count, now: now),
      result.isNew
    else { return }
    audioReceivers[header.ssrc]?.completed(header, wallTime: now + configuration.wallClockOffset)
    if result.isFirst {
      events.append(.firstPacket(ssrc: header.ssrc))
      scheduleFirstReport(now: now)
    }
    // Padding and foreign payload types have been counted, and that is all they are good for.
    guard header.payloadType == configuration.parameters.opus, !layout.payloadRange.isEmpty else { return }
    let level = layout.headerExtension(id: configuration.parameters.audioLevelExtension, in: packet)
    events.append(
      .audioPacket(
        ssrc: header.ssrc,
        ReceivedAudioPacket(
          payload: packet.copy(layout.payloadRange), sequenceNumber: header.sequenceNumber,
          timestamp: header.timestamp, startsTalkSpurt: header.marker,
          level: level.map { packet.uint8(at: $0.lowerBound) & 0x7F })))
  }

  /// Does what the stream `ssrc` has left in `output`.
  private mutating func finish(_ ssrc: UInt32, now: MediaInstant) {
    if output.isFirstPacket {
      events.append(.firstPacket(ssrc: ssrc))
      scheduleFirstReport(now: now)
    }
    for frame in output.frames {
      videoReceivers[ssrc]?.captureClock.completed(frame.timestamp, wallTime: now + configuration.wallClockOffset)
      events.append(.videoFrame(ssrc: ssrc, frame))
    }
    if let sample = output.roundTripSample { roundTrip.answeredRetransmission(after: sample) }
    if !output.lost.isEmpty { sendRetransmissionRequest(ssrc: ssrc) }
    if output.requestsKeyFrame { sendPictureLossIndication(ssrc: ssrc) }
    output.reset()
    deadline = .earliest(deadline, videoReceivers[ssrc]?.deadline)
  }
}
