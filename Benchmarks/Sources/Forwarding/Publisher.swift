import Glibc
import LinuxIO
import MediaBase
import RTPWire
import SecureChannel
import Synchronization

/// Sends synthetic media for one client, on a thread of its own: VP8 pictures of equal packets, and Opus packets. Answers
/// requests for key frames and for packets.
final class Publisher: @unchecked Sendable {
  // @unchecked: apart from the atomics and the client's locks, everything is touched on its thread.

  struct Plan {
    /// Pictures in a second; 0 for none.
    var pictureRate = 0
    var packetsPerPicture = 8
    /// Bytes of a packet's payload, which make some 1,212 bytes as sent.
    var videoPayload = 1_176
    /// Opus packets in a second; 0 for none.
    var audioRate = 0
    /// Bytes of a packet's payload, which make 120 bytes as sent.
    var audioPayload = 80
    /// In -dBov.
    var audioLevel: UInt8 = 20
  }

  /// Where in the payload the time of sending stands: big-endian nanoseconds of CLOCK_REALTIME.
  static let stampOffset = 24

  private struct Stream {
    var sequenceNumber = UInt16.random(in: 0..<0x4000)
    var timestamp = UInt32.random(in: 0...UInt32.max)
    var packets: UInt32 = 0
    var octets: UInt32 = 0
  }

  private let client: MediaClient
  private var plan = Plan()
  private let isEnding = Atomic<Bool>(false)
  private var thread: WorkerThread?
  private var video = Stream()
  private var audio = Stream()
  private var retransmission = Stream()
  private var transportSequenceNumber: UInt16 = 0
  private var pictureID = UInt16.random(in: 0..<0x7FFF)
  private var tl0PicIdx = UInt8.random(in: 0...255)
  private var answeredRequests = -1
  /// The last packets of video, by sequence number: payloads, for those that are asked for again.
  private var history = [(sequenceNumber: UInt16, timestamp: UInt32, marker: Bool, payload: [UInt8])?](
    repeating: nil, count: 512)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  init(_ client: MediaClient) { self.client = client }

  /// Sends by this plan until `stop()`. Numbers go on where they were: under one key they must.
  func start(_ plan: Plan) {
    self.plan = plan
    answeredRequests = -1
    isEnding.store(false, ordering: .relaxed)
    thread = WorkerThread(name: "publisher") { [self] in run() }
  }

  func stop() {
    isEnding.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
  }

  private func run() {
    let begin = MonotonicClock.now()
    var nextPicture = begin
    var nextAudio = begin
    var nextReport = begin + .milliseconds(100)
    while !isEnding.load(ordering: .relaxed) {
      let now = MonotonicClock.now()
      if plan.pictureRate > 0, nextPicture <= now {
        sendPicture()
        nextPicture = nextPicture + MediaDuration(nanoseconds: 1_000_000_000 / Int64(plan.pictureRate))
      }
      if plan.audioRate > 0, nextAudio <= now {
        sendAudio()
        nextAudio = nextAudio + MediaDuration(nanoseconds: 1_000_000_000 / Int64(plan.audioRate))
      }
      if nextReport <= now {
        sendReports()
        nextReport = nextReport + .seconds(Int64(1))
      }
      answerRequests()
      var next = nextReport
      if plan.pictureRate > 0 { next = min(next, nextPicture) }
      if plan.audioRate > 0 { next = min(next, nextAudio) }
      MonotonicClock.sleep(until: min(next, now + .milliseconds(20)))
    }
  }

  private func sendPicture() {
    let requests = client.keyFrameRequests.load(ordering: .relaxed)
    let isKey = requests != answeredRequests
    answeredRequests = requests
    pictureID = (pictureID + 1) & 0x7FFF
    tl0PicIdx &+= 1
    video.timestamp &+= 90_000 / UInt32(plan.pictureRate)
    for place in 0..<plan.packetsPerPicture {
      let payload = videoPayload(isKey: isKey, isFirst: place == 0)
      let marker = place == plan.packetsPerPicture - 1
      history[Int(video.sequenceNumber) % history.count] = (video.sequenceNumber, video.timestamp, marker, payload)
      send(payload, of: &video, type: MediaPath.vp8, ssrc: client.ssrcs.video, marker: marker, level: nil)
    }
  }

  /// RFC 7741 section 4.2 with picture id, TL0PICIDX and TID; then, in the first packet, RFC 6386 section 9.1.
  private func videoPayload(isKey: Bool, isFirst: Bool) -> [UInt8] {
    var payload = [UInt8](repeating: 0x5A, count: plan.videoPayload)
    payload.replaceSubrange(
      0..<6,
      with: [
        isFirst ? 0x90 : 0x80, 0xE0, UInt8(pictureID >> 8) | 0x80, UInt8(truncatingIfNeeded: pictureID), tl0PicIdx, 0,
      ])
    guard isFirst else { return payload }
    let header: [UInt8] =
      isKey ? [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0x68, 0x01] : [0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    payload.replaceSubrange(6..<16, with: header)
    return payload
  }

  private func sendAudio() {
    audio.timestamp &+= 48_000 / UInt32(plan.audioRate)
    var payload = [UInt8](repeating: 0x33, count: plan.audioPayload)
    payload[0] = 0x78  // CELT, 20 ms, one frame (RFC 6716 section 3.1)
    send(payload, of: &audio, type: MediaPath.opus, ssrc: client.ssrcs.audio, marker: false, level: plan.audioLevel)
  }

  private func send(
    _ payload: [UInt8], of stream: inout Stream, type: UInt8, ssrc: UInt32, marker: Bool, level: UInt8?
  ) {
    guard let path = client.path, let remote = client.remote else { return }
    let hasLevel = level != nil && path.audioLevelExtension != 0
    let elements = (path.transportExtension != 0 ? 3 : 0) + (hasLevel ? 2 : 0)
    var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
    let header = RTPHeader(
      marker: marker, payloadType: type, sequenceNumber: stream.sequenceNumber, timestamp: stream.timestamp, ssrc: ssrc)
    _ = header.write(into: &output, hasExtension: elements > 0)
    if elements > 0 {
      RTPHeaderExtension.writePrefix(elementBytes: elements, into: &output)
      if path.transportExtension != 0 {
        RTPHeaderExtension.writeTransportSequenceNumber(
          id: path.transportExtension, transportSequenceNumber, into: &output)
        transportSequenceNumber &+= 1
      }
      if hasLevel, let level {
        RTPHeaderExtension.writeAudioLevel(id: path.audioLevelExtension, level: level, voice: true, into: &output)
      }
      RTPHeaderExtension.writePadding(elementBytes: elements, into: &output)
    }
    let headerLength = output.finalize(for: buffer)
    buffer[headerLength..<headerLength + payload.count].copyBytes(from: payload)
    if payload.count >= Self.stampOffset + 8 {
      buffer.storeBytes(
        of: Self.realTime().bigEndian, toByteOffset: headerLength + Self.stampOffset, as: Int64.self)
    }
    stream.sequenceNumber &+= 1
    stream.packets &+= 1
    stream.octets &+= UInt32(payload.count)
    guard let length = try? client.sender?.protectRTP(buffer, length: headerLength + payload.count) else { return }
    client.socket.send(UnsafeRawBufferPointer(rebasing: buffer[..<length]), to: remote)
  }

  /// RFC 4588 section 4.
  private func answerRequests() {
    let asked = client.asked.withLock { asked in
      defer { asked.removeAll(keepingCapacity: true) }
      return asked
    }
    guard let type = client.path?.retransmissionPayloadType else { return }
    for number in asked {
      guard let entry = history[Int(number) % history.count], entry.sequenceNumber == number else { continue }
      retransmission.timestamp = entry.timestamp
      send(
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)] + entry.payload, of: &retransmission, type: type,
        ssrc: client.ssrcs.videoRTX, marker: entry.marker, level: nil)
    }
  }

  private func sendReports() {
    guard let remote = client.remote else { return }
    let plain = UnsafeMutableRawBufferPointer(rebasing: buffer[..<1_400])
    var output = OutputRawSpan(buffer: plain, initializedCount: 0)
    let time = Self.realTime()
    let ntp = UInt64(time / 1_000_000_000 + 2_208_988_800) << 32 | UInt64(time % 1_000_000_000) << 32 / 1_000_000_000
    for (stream, ssrc, sends) in [
      (video, client.ssrcs.video, plan.pictureRate > 0), (audio, client.ssrcs.audio, plan.audioRate > 0),
    ] where sends {
      let sender = RTCPReport.SenderInfo(
        ntpTimestamp: ntp, rtpTimestamp: stream.timestamp, packetCount: stream.packets, octetCount: stream.octets)
      _ = RTCPReport(ssrc: ssrc, sender: sender).write(into: &output)
      _ = RTCPSource.writeDescription(ssrc: ssrc, cname: "bench", into: &output)
    }
    let count = output.finalize(for: plain)
    guard count > 0, let length = try? client.sender?.protectRTCP(buffer, length: count) else { return }
    client.socket.send(UnsafeRawBufferPointer(rebasing: buffer[..<length]), to: remote)
  }

  static func realTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
