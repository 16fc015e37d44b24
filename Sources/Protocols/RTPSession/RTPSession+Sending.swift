import CongestionControl
import MediaBase
import RTPWire

extension RTPSession {
  /// Sends a picture in packets of nearly equal size (RFC 7741). Without effect if `ssrc` is no video stream that is
  /// sent, or if the picture is empty.
  public mutating func send(video frame: EncodedVideoFrame, ssrc: UInt32, now: MediaInstant) {
    latest = max(latest, now)
    guard sendStreams[ssrc]?.kind == .video, !frame.data.isEmpty,
      var descriptor = sendStreams[ssrc]?.beginPicture(frame)
    else { return }
    var extensions = extensions(captureTimeOf: frame, ssrc: ssrc, now: now)
    let overhead =
      RTPHeader.byteCount + extensions.byteCount + VP8PayloadDescriptor.maximumByteCount
      + (sendStreams[ssrc]?.rtxSSRC == nil ? 0 : 2)  // room for the lost packet's number in a retransmission
    let room = configuration.maximumPacketSize - overhead
    let packetCount = (frame.data.count + room - 1) / room
    // Equal sizes, but for the last: what goes out in one system call has to be of one size.
    let size = (frame.data.count + packetCount - 1) / packetCount
    var start = 0
    while start < frame.data.count {
      let end = min(start + size, frame.data.count)
      sendPart(
        start..<end, of: frame, descriptor: descriptor, extensions, overhead: overhead, stream: ssrc, now: now)
      descriptor.startsPartition = false
      extensions.captureTime = nil
      start = end
    }
  }

  /// Sends one packet of sound (RFC 7587). `level` is its loudness in -dBov, 0 loudest, 127 silence (RFC 6464). Without
  /// effect if `ssrc` is no audio stream that is sent, or if the packet is empty or too long.
  public mutating func send(audio frame: EncodedAudioFrame, level: UInt8?, ssrc: UInt32, now: MediaInstant) {
    latest = max(latest, now)
    guard sendStreams[ssrc]?.kind == .audio, !frame.data.isEmpty else { return }
    let extensions = extensions(level: level)
    let capacity = RTPHeader.byteCount + extensions.byteCount + frame.data.count
    guard capacity <= configuration.maximumPacketSize, let number = sendStreams[ssrc]?.takeSequenceNumber() else {
      return
    }
    let header = RTPHeader(
      marker: frame.startsTalkSpurt, payloadType: configuration.parameters.opus, sequenceNumber: number,
      timestamp: frame.timestamp, ssrc: ssrc)
    let bytes = [UInt8](capacity: capacity) { output in
      guard header.write(into: &output, hasExtension: !extensions.isEmpty) else { return }
      extensions.write(into: &output)
      output.append(contentsOf: frame.data.span.bytes)
    }
    outgoing.append(OutgoingPacket(bytes: bytes, kind: .audio, queuedAt: now, numberOffset: extensions.numberOffset))
    sendStreams[ssrc]?.statistics.framesSent &+= 1
    // The timestamp is that of the first sample (RFC 7587 section 4.2), and the last one has just been taken.
    let duration = MediaDuration.samples(frame.sampleCount)
    sent(payloadBytes: frame.data.count, timestamp: frame.timestamp, sampledAt: now - duration, ssrc: ssrc, now: now)
  }

  /// The extensions of a packet. Its transport-wide number is put in when it goes out.
  func extensions(level: UInt8? = nil) -> OutgoingExtensions {
    let parameters = configuration.parameters
    var result = OutgoingExtensions()
    if (1...14).contains(parameters.transportCCExtension) {
      result.transportSequenceNumber = (parameters.transportCCExtension, 0)
    }
    if let level, (1...14).contains(parameters.audioLevelExtension) {
      result.audioLevel = (parameters.audioLevelExtension, level)
    }
    return result
  }

  private mutating func sendPart(
    _ range: Range<Int>, of frame: EncodedVideoFrame, descriptor: VP8PayloadDescriptor,
    _ extensions: OutgoingExtensions, overhead: Int, stream ssrc: UInt32, now: MediaInstant
  ) {
    guard let number = sendStreams[ssrc]?.takeSequenceNumber() else { return }
    let header = RTPHeader(
      marker: range.upperBound == frame.data.count, payloadType: configuration.parameters.vp8,
      sequenceNumber: number, timestamp: frame.timestamp, ssrc: ssrc)
    let bytes = [UInt8](capacity: overhead + range.count) { output in
      guard header.write(into: &output, hasExtension: !extensions.isEmpty) else { return }
      extensions.write(into: &output)
      guard descriptor.write(into: &output) else { return }
      output.append(contentsOf: frame.data.span.bytes.extracting(range))
    }
    outgoing.append(
      OutgoingPacket(
        bytes: bytes, kind: .video, queuedAt: now, numberOffset: extensions.numberOffset, record: (ssrc, number)))
    sent(
      payloadBytes: bytes.count - RTPHeader.byteCount - extensions.byteCount, timestamp: frame.timestamp,
      sampledAt: Self.captureTime(of: frame) { $0 <= now } ?? now, ssrc: ssrc, now: now)
  }

  private static func captureTime(of frame: EncodedVideoFrame, if makesSense: (MediaInstant) -> Bool) -> MediaInstant? {
    frame.captureTime != .zero && makesSense(frame.captureTime) ? frame.captureTime : nil
  }

  /// The extensions of a picture's first packet: once a second it tells when the picture was captured.
  private mutating func extensions(
    captureTimeOf frame: EncodedVideoFrame, ssrc: UInt32, now: MediaInstant
  ) -> OutgoingExtensions {
    var result = extensions()
    let id = configuration.parameters.captureTimeExtension
    guard (1...14).contains(id), let time = Self.captureTime(of: frame, if: { $0 <= now }),
      sendStreams[ssrc]?.tellsCaptureTime(now: now) == true
    else { return result }
    result.captureTime = (id, NTPTime.timestamp(time + configuration.wallClockOffset))
    return result
  }

  private mutating func sent(
    payloadBytes: Int, timestamp: UInt32, sampledAt time: MediaInstant, ssrc: UInt32, now: MediaInstant
  ) {
    let isFirst = sendStreams[ssrc]?.sent(payloadBytes: payloadBytes, timestamp: timestamp, sampledAt: time)
    if isFirst == true { scheduleFirstReport(now: now) }
  }

  /// Sends again what the other side has missed (RFC 4588), each packet at most once in three quarters of a round trip.
  /// Where much is lost whatever is sent, it goes out twice or three times: another attempt would cost a round trip more, and a picture that
  /// is given up costs a key frame.
  mutating func retransmit(_ lost: [UInt16], ssrc: UInt32, now: MediaInstant) {
    let interval = max(.milliseconds(5), (roundTripTime ?? .milliseconds(20)) * 3 / 4)
    // What is lost because too much is sent must not make it more.
    let reported = sendStreams[ssrc]?.statistics.remoteFractionLost ?? 0
    let copies =
      switch min(reported, bandwidth.inherentLossRate ?? reported) {
      case ..<0.1: 1
      case ..<0.3: 2
      default: 3
      }
    for number in lost {
      sendStreams[ssrc]?.statistics.retransmissionsRequested &+= 1
      guard let original = sendStreams[ssrc]?.history.take(number, now: now, interval: interval) else { continue }
      sendStreams[ssrc]?.statistics.packetsRetransmitted &+= 1
      if let rtxSSRC = sendStreams[ssrc]?.rtxSSRC {
        for _ in 0..<copies {
          guard var packet = makeRetransmission(of: original, stream: ssrc, rtxSSRC: rtxSSRC) else { continue }
          packet.retransmitted = (ssrc, number)
          outgoing.append(packet)
        }
      } else {
        // To the last bit as before: other bytes under the same index would give the key away (RFC 7714 section 8.1).
        outgoing.append(
          OutgoingPacket(
            bytes: original, kind: .retransmission, queuedAt: now, retransmitted: (ssrc, number)))
      }
    }
  }

  mutating func makeRetransmission(of original: [UInt8], stream ssrc: UInt32, rtxSSRC: UInt32) -> OutgoingPacket? {
    guard let layout = try? RTPPacketLayout(parsing: original.span.bytes),
      let number = sendStreams[ssrc]?.takeRTXSequenceNumber()
    else { return nil }
    let extensions = extensions()
    let header = RTPHeader(
      marker: layout.header.marker, payloadType: configuration.parameters.rtx, sequenceNumber: number,
      timestamp: layout.header.timestamp, ssrc: rtxSSRC)
    let bytes = [UInt8](capacity: original.count + 2) { output in
      guard header.write(into: &output, hasExtension: !extensions.isEmpty) else { return }
      extensions.write(into: &output)
      output.appendBigEndian(layout.header.sequenceNumber)
      output.append(contentsOf: original.span.bytes.extracting(layout.payloadRange))
    }
    return OutgoingPacket(
      bytes: bytes, kind: .retransmission, queuedAt: latest, numberOffset: extensions.numberOffset)
  }
}
