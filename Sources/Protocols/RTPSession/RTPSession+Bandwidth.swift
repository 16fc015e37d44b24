import CongestionControl
public import MediaBase
import RTPWire

extension RTPSession {
  /// What the path carries of each packet beside what is written here: SRTP's tag, UDP and IPv4.
  private static let pathOverhead = 16 + 28
  /// A retransmission that waits for longer comes too late for its picture.
  private static let longestRetransmissionWait = MediaDuration.milliseconds(400)
  /// Pictures that wait for longer are given up.
  private static let longestVideoWait = MediaDuration.milliseconds(2_000)
  /// Between two feedbacks on what is received.
  static let transportFeedbackInterval = MediaDuration.milliseconds(100)

  /// Tries how much the path carries, before there is anything to send: with empty packets on the retransmission stream of
  /// the first video stream. Without effect without such a stream or transport-wide numbers, and after the first time.
  public mutating func startProbing(now: MediaInstant) {
    latest = max(latest, now)
    guard hasTransportNumbers, paddingStream != nil else { return }
    bandwidth.startProbing(now: now)
  }

  /// What there is to send at most, in bits per second: probes go no further.
  public mutating func setSendDemand(_ bitrate: Int, now: MediaInstant) {
    latest = max(latest, now)
    bandwidth.setDemand(bitrate, now: now)
  }

  /// How much may be sent, in bits per second, with the headers of all layers; `nil` while nothing is known.
  public var sendBitrate: Int? { bandwidth.targetBitrate }

  /// The share of sent packets that is lost, 0 to 1, where the other side gives transport-wide feedback.
  public var sendLossRate: Double { bandwidth.lossRate }

  /// The share of sent packets that is lost however little is sent, 0 to 1; 0 without transport-wide feedback.
  public var inherentLossRate: Double { bandwidth.inherentLossRate ?? 0 }

  /// How long sent packets wait on the way; `nil` without transport-wide feedback.
  public var sendQueueDelay: MediaDuration? { bandwidth.queueDelay }

  /// Packets that have been sent to this side, and those of them that have not come, by their transport-wide numbers: losses
  /// of the last part of the way alone. Both are 0 without such numbers.
  public var receivedPath: (expected: Int, lost: Int) { (arrivals.expectedCount, arrivals.lostCount) }

  /// Writes the next RTP packet that may go out now.
  @_lifetime(datagram: copy datagram)
  mutating func transmitRTP(into datagram: inout OutputRawSpan) -> RTPTransmitKind? {
    pacingDeadline = nil
    if !pacer.isProbing, paddingStream != nil, let cluster = bandwidth.pollProbe() {
      pacer.begin(cluster, now: latest)
    }
    pacer.setRate(
      targetBitrate: bandwidth.targetBitrate, isLimited: bandwidth.isLimited,
      queuedByteCount: outgoing.videoByteCount)
    dropStale()
    let waiting = outgoing.waiting.union(pacer.isProbing ? .padding : [])
    guard let kind = pacer.next(of: waiting, now: latest) else {
      pacingDeadline = pacer.nextTimeout(of: waiting)
      return nil
    }
    guard kind != .padding else { return transmitPadding(into: &datagram) }
    guard outgoing.first(kind)?.bytes.count ?? 0 <= datagram.freeCapacity, let packet = outgoing.popFirst(kind) else {
      return nil
    }
    transmit(packet, into: &datagram)
    return .rtp
  }

  /// Drops what has waited too long to be of use: who misses a packet asks again, and pictures begin anew with a key frame.
  private mutating func dropStale() {
    while let first = outgoing.first(.retransmission), latest - first.queuedAt > Self.longestRetransmissionWait {
      guard let dropped = outgoing.popFirst(.retransmission)?.retransmitted else { continue }
      sendStreams[dropped.ssrc]?.history.wentOutAgain(dropped.sequenceNumber, now: latest)
    }
    guard let oldest = outgoing.first(.video), latest - oldest.queuedAt > Self.longestVideoWait else { return }
    while let packet = outgoing.popFirst(.video) {
      guard let record = packet.record else { continue }
      if sendStreams[record.ssrc]?.keyFrameRequests.request(commandNumber: nil, now: latest) == true {
        events.append(.keyFrameRequested(ssrc: record.ssrc))
      }
      deadline = .earliest(deadline, sendStreams[record.ssrc]?.keyFrameRequests.deadline)
    }
  }

  @_lifetime(datagram: copy datagram)
  private mutating func transmit(_ packet: OutgoingPacket, into datagram: inout OutputRawSpan) {
    var bytes = packet.bytes
    let byteCount = bytes.count + Self.pathOverhead
    if let offset = packet.numberOffset, offset + 1 < bytes.count {
      let number = transportSequenceNumber
      transportSequenceNumber &+= 1
      bytes[offset] = UInt8(truncatingIfNeeded: number &>> 8)
      bytes[offset + 1] = UInt8(truncatingIfNeeded: number)
      bandwidth.sent(number, byteCount: byteCount, cluster: pacer.cluster, now: latest)
    }
    pacer.sent(byteCount: byteCount, now: latest)
    datagram.append(contentsOf: bytes.span.bytes)
    if let retransmitted = packet.retransmitted {
      sendStreams[retransmitted.ssrc]?.history.wentOutAgain(retransmitted.sequenceNumber, now: latest)
    }
    if let record = packet.record {
      sendStreams[record.ssrc]?.history.record(bytes, sequenceNumber: record.sequenceNumber, now: latest)
    }
  }

  /// Something that only fills a probe: a late picture's packet once more, which may even be of use, or nothing at all
  /// (RFC 3550 section 5.1) with as much padding as a packet can say it has.
  @_lifetime(datagram: copy datagram)
  private mutating func transmitPadding(into datagram: inout OutputRawSpan) -> RTPTransmitKind? {
    guard let ssrc = paddingStream, let rtxSSRC = sendStreams[ssrc]?.rtxSSRC else { return nil }
    let packet: OutgoingPacket?
    if let original = sendStreams[ssrc]?.history.takeForPadding(now: latest) {
      packet = makeRetransmission(of: original, stream: ssrc, rtxSSRC: rtxSSRC)
    } else {
      packet = makePadding(stream: ssrc, rtxSSRC: rtxSSRC)
    }
    guard let packet, packet.bytes.count <= datagram.freeCapacity else { return nil }
    transmit(packet, into: &datagram)
    return .rtp
  }

  private mutating func makePadding(stream ssrc: UInt32, rtxSSRC: UInt32) -> OutgoingPacket? {
    guard let number = sendStreams[ssrc]?.takeRTXSequenceNumber() else { return nil }
    let extensions = extensions()
    let header = RTPHeader(
      marker: false, payloadType: configuration.parameters.rtx, sequenceNumber: number, timestamp: 0, ssrc: rtxSSRC)
    let padding = 255
    var bytes = [UInt8](capacity: RTPHeader.byteCount + extensions.byteCount + padding) { output in
      guard header.write(into: &output, hasExtension: !extensions.isEmpty) else { return }
      extensions.write(into: &output)
      for _ in 1..<padding { output.append(0 as UInt8) }
      output.append(UInt8(padding))
    }
    guard !bytes.isEmpty else { return nil }
    bytes[0] |= 0x20
    return OutgoingPacket(bytes: bytes, kind: .padding, queuedAt: latest, numberOffset: extensions.numberOffset)
  }

  private var hasTransportNumbers: Bool { (1...14).contains(configuration.parameters.transportCCExtension) }

  /// The video stream whose retransmissions padding may go as: one that has sent something, if there is such. Packets sent
  /// once more are as long as pictures are; of padding alone it takes five times as many to fill a probe.
  private var paddingStream: UInt32? {
    let streams = sendStreams.values.lazy.filter { $0.rtxSSRC != nil }
    return streams.filter { !$0.history.isEmpty }.map(\.ssrc).min() ?? streams.map(\.ssrc).min()
  }

  // MARK: Feedback

  mutating func receiveTransportWideFeedback(_ packet: RawSpan, _ layout: RTCPPacketLayout, now: MediaInstant) {
    guard let feedback = try? TransportFeedback(parsing: packet, at: layout) else { return }
    bandwidth.received(feedback, now: now)
  }

  /// Notes a packet that came, for the other side to control its rate by.
  mutating func recordArrival(_ packet: RawSpan, _ layout: RTPPacketLayout, now: MediaInstant) {
    guard hasTransportNumbers,
      let range = layout.headerExtension(id: configuration.parameters.transportCCExtension, in: packet),
      range.count >= 2
    else { return }
    arrivals.arrived(packet.uint16(at: range.lowerBound), now: now)
    arrivalSSRC = layout.header.ssrc
    sendTransportFeedbackIfDue(now: now)
  }

  mutating func sendTransportFeedbackIfDue(now: MediaInstant) {
    let (sender, media) = (configuration.rtcpSSRC, arrivalSSRC)
    // More than one only after a burst: a feedback holds some hundred packets.
    for _ in 0..<8 where arrivals.isDue(now: now, interval: Self.transportFeedbackInterval) {
      enqueueRTCP(
        [UInt8](capacity: configuration.maximumPacketSize) { output in
          arrivals.write(senderSSRC: sender, mediaSSRC: media, into: &output, now: now)
        })
    }
  }
}
