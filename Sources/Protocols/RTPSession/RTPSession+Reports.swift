import MediaBase
import RTPWire

extension RTPSession {
  /// From a stream's first packet to a report: the other side needs it for synchronisation and round trip.
  private static let firstReportDelay = MediaDuration.milliseconds(50)
  /// Between reports while there is video. A connection has two ends and a rate of megabits, so that the minimum of
  /// RFC 3550 section 6.2, made for large groups, does not apply (RFC 4585 section 3.4 allows less).
  private static let videoInterval = MediaDuration.seconds(1 as Int64)
  /// Between reports while there is sound only: half the minimum of 5 s, as that section has it for small sessions.
  private static let audioInterval = MediaDuration.milliseconds(2_500)

  mutating func scheduleFirstReport(now: MediaInstant) {
    reportDeadline = .earliest(reportDeadline, now + Self.firstReportDelay)
  }

  /// A sender report of every stream that has sent since the last ones, with the report blocks of what is received
  /// (RFC 3550 section 6.4); a receiver report if nothing has been sent. Each goes out with the canonical name.
  mutating func sendReports(now: MediaInstant) {
    scheduleNextReport(now: now)
    var blocks = makeReportBlocks(now: now)
    var reports: [RTCPReport] = []
    for ssrc in sendStreams.keys.sorted() {
      guard sendStreams[ssrc]?.hasSentSinceReport == true,
        let info = sendStreams[ssrc]?.senderInfo(now: now, offset: configuration.wallClockOffset)
      else { continue }
      sendStreams[ssrc]?.hasSentSinceReport = false
      reports.append(RTCPReport(ssrc: ssrc, sender: info))
    }
    if reports.isEmpty { reports.append(RTCPReport(ssrc: configuration.rtcpSSRC)) }
    let blocksPerReport = min(31, max(1, (configuration.maximumPacketSize - 28 - descriptionByteCount) / 24))
    var position = 0
    while !blocks.isEmpty {
      if position == reports.count { reports.append(RTCPReport(ssrc: reports[0].ssrc)) }
      reports[position].blocks = Array(blocks.prefix(blocksPerReport))
      blocks.removeFirst(min(blocksPerReport, blocks.count))
      position += 1
    }
    for report in reports { enqueue(report, goodbye: nil) }
  }

  mutating func sendGoodbye(ssrc: UInt32) {
    enqueue(RTCPReport(ssrc: ssrc), goodbye: ssrc)
  }

  private mutating func enqueue(_ report: RTCPReport, goodbye: UInt32?) {
    let cname = configuration.cname
    enqueueRTCP(
      [UInt8](capacity: configuration.maximumPacketSize) { datagram in
        guard report.write(into: &datagram) else { return }
        _ = RTCPSource.writeDescription(ssrc: report.ssrc, cname: cname, into: &datagram)
        if let goodbye { _ = RTCPSource.writeGoodbye(ssrc: goodbye, into: &datagram) }
      })
  }

  private var descriptionByteCount: Int { 14 + min(255, configuration.cname.utf8.count) }

  private mutating func scheduleNextReport(now: MediaInstant) {
    let hasVideo = !videoReceivers.isEmpty || sendStreams.values.contains { $0.kind == .video && $0.hasSentSinceReport }
    let interval = hasVideo ? Self.videoInterval : Self.audioInterval
    // Spread, so that the connections of a server do not report in step (section 6.3.1).
    let spread = Int64(random.next() % 512) + 768
    reportDeadline = now + interval * spread / 1_024
  }

  private mutating func makeReportBlocks(now: MediaInstant) -> [RTCPReportBlock] {
    var blocks: [RTCPReportBlock] = []
    for ssrc in videoReceivers.keys.sorted() where videoReceivers[ssrc]?.reception.hasReceivedSinceReport == true {
      if let block = videoReceivers[ssrc]?.reception.makeReportBlock(ssrc: ssrc, now: now) { blocks.append(block) }
    }
    for ssrc in audioReceivers.keys.sorted() where audioReceivers[ssrc]?.reception.hasReceivedSinceReport == true {
      if let block = audioReceivers[ssrc]?.reception.makeReportBlock(ssrc: ssrc, now: now) { blocks.append(block) }
    }
    return blocks
  }
}
