import CongestionControl
import MediaBase
import RTPWire
import SecureChannel

extension ForwardingCore {
  /// Room for one RTCP datagram before protection.
  private static var maximumControlByteCount: Int { 1_180 }

  /// Writes one RTCP datagram for `peer` to the start of `slab`: requests about what it publishes, and reports when they
  /// are due. Returns its length, 0 if there is nothing (more) to say. Parts may be left for the next call.
  mutating func writeControl(to peer: Int32, into slab: UnsafeMutableRawBufferPointer, now: MediaInstant) -> Int {
    guard let overhead = peers[peer].sender?.rtcpOverhead else { return 0 }
    let room = min(slab.count, Self.maximumControlByteCount + overhead)
    guard room > overhead else { return 0 }
    let region = UnsafeMutableRawBufferPointer(rebasing: slab[..<room])
    let plain = UnsafeMutableRawBufferPointer(rebasing: slab[..<(room - overhead)])
    var output = OutputRawSpan(buffer: plain, initializedCount: 0)
    writeReports(to: peer, into: &output, now: now)
    writeRequests(to: peer, into: &output, now: now)
    writeFeedback(to: peer, into: &output, now: now)
    writeReceiverEstimate(to: peer, into: &output, now: now)
    let count = output.finalize(for: plain)
    guard count > 0 else { return 0 }
    return (try? peers[peer].sender?.protectRTCP(region, length: count)) ?? 0
  }

  /// Key frame requests and NACKs for the peer's video, in each of its encodings.
  @_lifetime(output: copy output)
  private mutating func writeRequests(to peer: Int32, into output: inout OutputRawSpan, now: MediaInstant) {
    var position = 0
    while let stream = peers[peer].videoStream(position) {
      writeRequests(about: stream, into: &output, now: now)
      position += 1
    }
  }

  @_lifetime(output: copy output)
  private mutating func writeRequests(about stream: Int32, into output: inout OutputRawSpan, now: MediaInstant) {
    guard let deadline = streams[stream].deadline(configuration), deadline <= now, output.freeCapacity >= 100 else {
      return
    }
    let ssrc = streams[stream].ssrc
    if streams[stream].keyFrames.takeDue(now: now, configuration),
      RTCPFeedback.writePictureLossIndication(senderSSRC: rtcpSSRC, mediaSSRC: ssrc, into: &output)
    {
      statistics.keyFrameRequests &+= 1
    }
    // Four bytes name at least one packet.
    streams[stream].losses.takeDue(now: now, limit: (output.freeCapacity - 12) / 4, into: &lostNumbers)
    if !lostNumbers.isEmpty {
      let named = RTCPFeedback.writeGenericNACK(
        senderSSRC: rtcpSSRC, mediaSSRC: ssrc, lost: lostNumbers.span, into: &output)
      statistics.requestedPackets &+= UInt64(named)
      lostNumbers.removeAll(keepingCapacity: true)
    }
    watch(stream)
  }

  /// When the peer's packets came, if it wants to know.
  @_lifetime(output: copy output)
  private mutating func writeFeedback(to peer: Int32, into output: inout OutputRawSpan, now: MediaInstant) {
    guard peers[peer].arrivals.isDue(now: now, interval: configuration.transportFeedbackInterval),
      output.freeCapacity >= 100
    else { return }
    let media = streams[peers[peer].videoStream].ssrc
    peers[peer].arrivals.write(
      senderSSRC: rtcpSSRC, mediaSSRC: media != 0 ? media : streams[peers[peer].audioStream].ssrc, into: &output,
      now: now)
  }

  /// How much video the peer may send, if it wants to be told.
  @_lifetime(output: copy output)
  private mutating func writeReceiverEstimate(to peer: Int32, into output: inout OutputRawSpan, now: MediaInstant) {
    guard let rate = peers[peer].incomingRate, output.freeCapacity >= 40,
      let bitrate = rate.pointee.takeDue(now: now)
    else { return }
    var ssrcs: [UInt32] = []
    var position = 0
    while let stream = peers[peer].videoStream(position) {
      if streams[stream].ssrc != 0 { ssrcs.append(streams[stream].ssrc) }
      position += 1
    }
    _ = RTCPFeedback.writeReceiverEstimate(
      senderSSRC: rtcpSSRC, bitrate: bitrate, mediaSSRCs: ssrcs, into: &output)
  }

  /// Reports of a round that has begun: first a receiver report on what the peer sends, then a sender report for each
  /// track that it gets.
  @_lifetime(output: copy output)
  private mutating func writeReports(to peer: Int32, into output: inout OutputRawSpan, now: MediaInstant) {
    guard var position = peers[peer].reportPosition else { return }
    if position == 0 {
      writeReceiverReport(to: peer, into: &output, now: now)
      writeDownlinkReport(to: peer, into: &output)
    }
    // The longest CNAME chunk and a report; what does not fit goes into the next datagram.
    while position < peers[peer].egresses.count, output.freeCapacity >= 100 {
      writeSenderReport(of: peers[peer].egresses[position], into: &output, now: now)
      position += 1
    }
    peers[peer].reportPosition = position < peers[peer].egresses.count ? position : nil
  }

  @_lifetime(output: copy output)
  private mutating func writeReceiverReport(to peer: Int32, into output: inout OutputRawSpan, now: MediaInstant) {
    var report = RTCPReport(ssrc: rtcpSSRC)
    swap(&report.blocks, &reportBlocks)
    defer {
      report.blocks.removeAll(keepingCapacity: true)
      swap(&report.blocks, &reportBlocks)
    }
    var position = 0
    while let stream = peers[peer].publishedStream(position) {
      if let block = streams[stream].takeReport(now: now) { report.blocks.append(block) }
      position += 1
    }
    guard !report.blocks.isEmpty, report.write(into: &output) else { return }
    _ = RTCPSource.writeDescription(ssrc: rtcpSSRC, cname: "greenroom", into: &output)
  }

  /// Translates the publisher's own report, if it has made one, into the egress's numbers.
  @_lifetime(output: copy output)
  private mutating func writeSenderReport(of egress: Int32, into output: inout OutputRawSpan, now: MediaInstant) {
    let stream = egresses[egress].stream
    guard egresses[egress].phase == .forwarding, let source = streams[stream].sourceReport else { return }
    let clocks = source.carried(to: now, clockRate: egresses[egress].kind.clockRate)
    let sender = RTCPReport.SenderInfo(
      ntpTimestamp: clocks.ntpTimestamp, rtpTimestamp: clocks.rtpTimestamp &- egresses[egress].segment.timestampOffset,
      packetCount: egresses[egress].packetCount, octetCount: egresses[egress].octetCount)
    let ssrc = egresses[egress].ssrc
    guard RTCPReport(ssrc: ssrc, sender: sender).write(into: &output) else { return }
    _ = RTCPSource.writeDescription(ssrc: ssrc, cname: peers[streams[stream].publisher].cname, into: &output)
  }
}
