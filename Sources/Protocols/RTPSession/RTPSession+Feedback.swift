import CongestionControl
import MediaBase
import RTPWire

extension RTPSession {
  /// Takes a decrypted RTCP packet or compound, reduced-size ones too (RFC 5506). What comes behind a malformed packet is
  /// ignored.
  public mutating func receiveRTCP(_ packet: RawSpan, now: MediaInstant) {
    latest = max(latest, now)
    var offset = 0
    while offset < packet.byteCount, let layout = try? RTCPPacketLayout(parsing: packet, at: offset) {
      switch layout.packetType {
      case RTCPPacketLayout.PacketType.senderReport, RTCPPacketLayout.PacketType.receiverReport:
        if let report = try? RTCPReport(parsing: packet, at: layout) { receive(report, now: now) }
      case RTCPPacketLayout.PacketType.goodbye: receiveGoodbye(packet, layout)
      case RTCPPacketLayout.PacketType.applicationDefined:
        downlinkReport = DownlinkReport(parsing: packet, at: layout) ?? downlinkReport
      case RTCPPacketLayout.PacketType.transportFeedback: receiveTransportFeedback(packet, layout, now: now)
      case RTCPPacketLayout.PacketType.payloadFeedback: receivePayloadFeedback(packet, layout, now: now)
      default: break
      }
      offset = layout.range.upperBound
    }
  }

  private mutating func receive(_ report: RTCPReport, now: MediaInstant) {
    if let sender = report.sender {
      videoReceivers[report.ssrc]?.reception.receivedSenderReport(ntpTimestamp: sender.ntpTimestamp, now: now)
      audioReceivers[report.ssrc]?.reception.receivedSenderReport(ntpTimestamp: sender.ntpTimestamp, now: now)
      videoReceivers[report.ssrc]?.captureClock.told(sender.ntpTimestamp, of: sender.rtpTimestamp)
      audioReceivers[report.ssrc]?.captureClock.told(sender.ntpTimestamp, of: sender.rtpTimestamp)
    }
    for block in report.blocks where sendStreams[block.ssrc] != nil {
      let packetCount = sendStreams[block.ssrc]?.received(block) ?? 0
      roundTrip.received(block, now: now + configuration.wallClockOffset)
      bandwidth.received(
        fractionLost: Double(block.fractionLost) / 256, packetCount: packetCount, roundTripTime: roundTrip.value,
        now: now)
    }
  }

  private mutating func receiveGoodbye(_ packet: RawSpan, _ layout: RTCPPacketLayout) {
    var sources: [UInt32] = []
    RTCPSource.forEachGoodbyeSSRC(in: packet, at: layout) { sources.append($0) }
    for ssrc in sources where videoReceivers[ssrc] != nil || audioReceivers[ssrc] != nil {
      videoReceivers[ssrc]?.end()
      events.append(.goodbye(ssrc: ssrc))
    }
  }

  private mutating func receiveTransportFeedback(_ packet: RawSpan, _ layout: RTCPPacketLayout, now: MediaInstant) {
    if layout.count == TransportFeedback.format { return receiveTransportWideFeedback(packet, layout, now: now) }
    guard layout.count == 1, layout.bodyRange.count >= 8 else { return }
    let ssrc = packet.uint32(at: layout.bodyRange.lowerBound + 4)
    guard sendStreams[ssrc]?.kind == .video else { return }
    var lost: [UInt16] = []
    RTCPFeedback.forEachLostSequenceNumber(in: packet, at: layout) { lost.append($0) }
    retransmit(lost, ssrc: ssrc, now: now)
  }

  private mutating func receivePayloadFeedback(_ packet: RawSpan, _ layout: RTCPPacketLayout, now: MediaInstant) {
    let body = layout.bodyRange
    guard body.count >= 8 else { return }
    if layout.count == 1 {
      keyFrameRequested(packet.uint32(at: body.lowerBound + 4), commandNumber: nil, now: now)
    } else if layout.count == 4 {
      var offset = body.lowerBound + 8
      while offset + 8 <= body.upperBound {
        keyFrameRequested(packet.uint32(at: offset), commandNumber: packet.uint8(at: offset + 4), now: now)
        offset += 8
      }
    } else if let bitrate = RTCPFeedback.receiverEstimate(in: packet, at: layout) {
      bandwidth.received(remoteBitrate: bitrate, now: now)
    }
  }

  private mutating func keyFrameRequested(_ ssrc: UInt32, commandNumber: UInt8?, now: MediaInstant) {
    guard sendStreams[ssrc]?.kind == .video else { return }
    sendStreams[ssrc]?.statistics.keyFramesRequested &+= 1
    if sendStreams[ssrc]?.keyFrameRequests.request(commandNumber: commandNumber, now: now) == true {
      events.append(.keyFrameRequested(ssrc: ssrc))
    }
    deadline = .earliest(deadline, sendStreams[ssrc]?.keyFrameRequests.deadline)
  }

  /// Asks again for what `output` lists of the stream.
  mutating func sendRetransmissionRequest(ssrc: UInt32) {
    let sender = configuration.rtcpSSRC
    var lost = output.lost
    while !lost.isEmpty {
      var named = 0
      enqueueRTCP(
        [UInt8](capacity: configuration.maximumPacketSize) { datagram in
          named = RTCPFeedback.writeGenericNACK(
            senderSSRC: sender, mediaSSRC: ssrc, lost: lost.span, into: &datagram)
        })
      guard named > 0 else { return }
      lost.removeFirst(named)
    }
  }

  mutating func sendPictureLossIndication(ssrc: UInt32) {
    let sender = configuration.rtcpSSRC
    enqueueRTCP(
      [UInt8](capacity: 12) { datagram in
        _ = RTCPFeedback.writePictureLossIndication(senderSSRC: sender, mediaSSRC: ssrc, into: &datagram)
      })
  }
}
