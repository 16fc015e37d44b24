import ForwardingCore
import ICEAgent
import MediaBase
import OpenSSLCrypto
import PeerTransport
import RTPWire
import SecureChannel

let configuration = ForwardingConfiguration()

/// An RTP packet as a client sees it after decryption.
struct SeenPacket: Equatable {
  var header: RTPHeader
  var transportSequenceNumber: UInt16?
  var audioLevel: UInt8?
  var payload: [UInt8]

  var descriptor: VP8PayloadDescriptor? {
    guard header.payloadType == 96 else { return nil }
    return (try? VP8PayloadDescriptor.parse(payload.span.bytes))?.descriptor
  }

  /// The payload without its descriptor: what no forwarding may change.
  var body: [UInt8] {
    guard header.payloadType == 96, let length = (try? VP8PayloadDescriptor.parse(payload.span.bytes))?.byteCount else {
      return payload
    }
    return Array(payload[length...])
  }
}

func keyBytes(_ number: UInt64, _ profile: SRTPProtectionProfile) -> [UInt8] {
  var random = SeededRandom(seed: number)
  return (0..<profile.keyMaterialByteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

func key(_ number: UInt64, _ profile: SRTPProtectionProfile = .aeadAES128GCM) -> SRTPKeyMaterial {
  SRTPKeyMaterial(profile: profile, bytes: keyBytes(number, profile)) ?? key(number + 1, profile)
}

func credentials(_ name: String) -> ICECredentials {
  ICECredentials(usernameFragment: name, password: name + "passwordpasswordpassword")
}

func peerSSRCs(_ id: UInt64) -> ForwardedSSRCs {
  let base = UInt32(id) * 1_000
  return ForwardedSSRCs(audio: base + 1, video: base + 2, videoRTX: base + 3)
}

/// The SSRCs by which `subscriber` gets `publisher`.
func routeSSRCs(_ publisher: UInt64) -> ForwardedSSRCs {
  let base = 1_000_000 + UInt32(publisher) * 1_000
  return ForwardedSSRCs(audio: base + 1, video: base + 2, videoRTX: base + 3)
}

func description(_ id: UInt64, _ profile: SRTPProtectionProfile = .aeadAES128GCM) -> ForwardingPeer {
  ForwardingPeer(
    client: id, localCredentials: credentials("server\(id)"), remoteCredentials: credentials("client\(id)"),
    security: .keys(incoming: key(id * 2, profile), outgoing: key(id * 2 + 1, profile)), ssrcs: peerSSRCs(id))
}

/// A client built of the real transport; makes simple streams and notes what it gets.
final class TestPeer {
  let id: UInt64
  var address: TransportAddress
  let server = TransportAddress(ipv4: 0xC000_0201, port: 7_000)
  var transport: PeerTransport
  let ssrcs: ForwardedSSRCs

  var videoSequenceNumber: UInt16 = 100
  var audioSequenceNumber: UInt16 = 65_500
  var pictureID: UInt16 = 0x7FF0
  var tl0PicIdx: UInt8 = 250
  var videoTimestamp: UInt32 = 5_000
  var audioTimestamp: UInt32 = 9_000
  private var rtxSequenceNumber: UInt16 = 1
  private var random: SeededRandom

  /// All RTP that came and decrypted.
  var seen: [SeenPacket] = []
  /// The same, as they were before anything was read.
  var rawPackets: [[UInt8]] = []
  var keyFrameRequestCount = 0
  var requested: [UInt16] = []
  /// Which SSRCs key frames and lost packets were asked for, in order.
  var keyFrameRequests: [UInt32] = []
  var requestedOf: [UInt32: [UInt16]] = [:]
  var reports: [RTCPReport] = []
  /// What it was told that it may send, and in which streams.
  var estimates: [(bitrate: UInt64, ssrcs: [UInt32])] = []
  /// What it was told of its path.
  var downlinkReports: [DownlinkReport] = []
  var rejectedCount = 0
  /// To be sent.
  var outgoing: [[UInt8]] = []

  init(
    _ id: UInt64, key number: UInt64? = nil, profile: SRTPProtectionProfile = .aeadAES128GCM, now: MediaInstant
  ) {
    self.id = id
    address = TransportAddress(ipv4: 0x0A00_0000 + UInt32(id), port: 5_000)
    ssrcs = peerSSRCs(id)
    random = SeededRandom(seed: id)
    let number = number ?? id
    transport = PeerTransport(
      configuration: PeerTransportConfiguration(
        role: .controlling, localCredentials: credentials("client\(id)"),
        remoteCredentials: credentials("server\(id)"), remoteCandidates: [server],
        outgoingKey: key(number * 2, profile), incomingKey: key(number * 2 + 1, profile), seed: id),
      crypto: OpenSSLCrypto.provider, now: now)
  }

  func seen(_ ssrc: UInt32) -> [SeenPacket] { seen.filter { $0.header.ssrc == ssrc } }

  func handleTimeout(now: MediaInstant) {
    transport.handleTimeout(now: now)
    var buffer = [UInt8](repeating: 0, count: 1_500)
    while true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        var output = OutputRawSpan(buffer: bytes, initializedCount: 0)
        let destination = transport.pollTransmit(into: &output)
        let count = output.finalize(for: bytes)
        return destination == nil ? 0 : count
      }
      guard count > 0 else { return }
      outgoing.append(Array(buffer[..<count]))
    }
  }

  func receive(_ datagram: [UInt8], now: MediaInstant) {
    var copy = datagram
    let outcome = copy.withUnsafeMutableBytes { transport.receive($0, from: server, now: now) }
    switch outcome {
    case .rtp(let length): noteRTP(Array(copy[..<length]))
    case .rtcp(let length): noteRTCP(Array(copy[..<length]))
    case .dropped: rejectedCount += 1
    case .consumed: break
    }
  }

  private func noteRTP(_ bytes: [UInt8]) {
    let span = bytes.span.bytes
    guard let layout = try? RTPPacketLayout(parsing: span) else {
      rejectedCount += 1
      return
    }
    rawPackets.append(bytes)
    seen.append(
      SeenPacket(
        header: layout.header,
        transportSequenceNumber: layout.headerExtension(id: 3, in: span).map { span.uint16(at: $0.lowerBound) },
        audioLevel: layout.headerExtension(id: 1, in: span).map { span.uint8(at: $0.lowerBound) },
        payload: Array(bytes[layout.payloadRange])))
  }

  private func noteRTCP(_ bytes: [UInt8]) {
    let span = bytes.span.bytes
    var offset = 0
    while offset < bytes.count {
      guard let layout = try? RTCPPacketLayout(parsing: span, at: offset) else {
        rejectedCount += 1
        return
      }
      offset = layout.range.upperBound
      switch (layout.packetType, layout.count) {
      case (200, _), (201, _): if let report = try? RTCPReport(parsing: span, at: layout) { reports.append(report) }
      case (204, _): if let report = DownlinkReport(parsing: span, at: layout) { downlinkReports.append(report) }
      case (205, 1):
        let ssrc = span.uint32(at: layout.bodyRange.lowerBound + 4)
        RTCPFeedback.forEachLostSequenceNumber(in: span, at: layout) {
          requested.append($0)
          requestedOf[ssrc, default: []].append($0)
        }
      case (206, 1):
        keyFrameRequestCount += 1
        keyFrameRequests.append(span.uint32(at: layout.bodyRange.lowerBound + 4))
      case (206, 15):
        guard let bitrate = RTCPFeedback.receiverEstimate(in: span, at: layout) else { return rejectedCount += 1 }
        let ssrcs = stride(from: layout.bodyRange.lowerBound + 16, to: layout.bodyRange.upperBound, by: 4)
        estimates.append((bitrate, ssrcs.map { span.uint32(at: $0) }))
      default: break
      }
    }
  }
}

// Sending

extension TestPeer {
  /// Encrypts an RTP packet; returns the datagram without queueing it.
  func sealed(_ header: RTPHeader, level: UInt8? = nil, payload: [UInt8]) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1_600)
    let count = buffer.withUnsafeMutableBytes { bytes in
      var output = OutputRawSpan(buffer: bytes, initializedCount: 0)
      _ = header.write(into: &output, hasExtension: level != nil)
      if let level {
        RTPHeaderExtension.writePrefix(elementBytes: 2, into: &output)
        RTPHeaderExtension.writeAudioLevel(id: 1, level: level, voice: true, into: &output)
        RTPHeaderExtension.writePadding(elementBytes: 2, into: &output)
      }
      for byte in payload { output.append(byte) }
      let length = output.finalize(for: bytes)
      return transport.protectRTP(bytes, length: length) ?? 0
    }
    return Array(buffer[..<count])
  }

  /// The datagrams of one picture, in order.
  func picture(isKey: Bool, packetCount: Int = 3, byteCount: Int = 200) -> [[UInt8]] {
    pictureID = (pictureID &+ 1) & 0x7FFF
    tl0PicIdx &+= 1
    videoTimestamp &+= 3_000
    return (0..<packetCount).map { part in
      let descriptor = VP8PayloadDescriptor(
        startsPartition: part == 0, pictureID: pictureID, tl0PicIdx: tl0PicIdx, temporalID: 0)
      var payload = written { _ = descriptor.write(into: &$0) }
      if part == 0 {
        payload += isKey ? [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xB4, 0x00] : [0x11, 0, 0]
      }
      while payload.count < byteCount { payload.append(UInt8(truncatingIfNeeded: random.next())) }
      let header = RTPHeader(
        marker: part == packetCount - 1, payloadType: 96, sequenceNumber: videoSequenceNumber,
        timestamp: videoTimestamp, ssrc: ssrcs.video)
      videoSequenceNumber &+= 1
      return sealed(header, payload: payload)
    }
  }

  func sendPicture(isKey: Bool, packetCount: Int = 3, byteCount: Int = 200) {
    outgoing += picture(isKey: isKey, packetCount: packetCount, byteCount: byteCount)
  }

  func sendAudio(level: UInt8? = 30) {
    audioTimestamp &+= 960
    let header = RTPHeader(
      payloadType: 111, sequenceNumber: audioSequenceNumber, timestamp: audioTimestamp, ssrc: ssrcs.audio)
    audioSequenceNumber &+= 1
    outgoing.append(
      sealed(header, level: level, payload: (0..<80).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
  }

  /// Redundant audio (RFC 2198): `payloads` oldest first, of which the last is the packet's own.
  func redundantAudio(_ payloads: [[UInt8]], payloadType: UInt8 = 63, blockType: UInt8 = 111) -> [UInt8] {
    audioTimestamp &+= 960
    var payload: [UInt8] = []
    for (place, earlier) in payloads.dropLast().enumerated() {
      let offset = (payloads.count - 1 - place) * 960
      payload += [
        blockType | 0x80, UInt8(offset >> 6), UInt8(offset << 2 & 0xFC) | UInt8(earlier.count >> 8),
        UInt8(earlier.count & 0xFF),
      ]
    }
    payload.append(blockType)
    payload += payloads.joined()
    let header = RTPHeader(
      payloadType: payloadType, sequenceNumber: audioSequenceNumber, timestamp: audioTimestamp, ssrc: ssrcs.audio)
    audioSequenceNumber &+= 1
    return sealed(header, level: 30, payload: payload)
  }

  /// Sends a packet again as RFC 4588 says.
  func sendRTX(of sequenceNumber: UInt16, timestamp: UInt32, payload: [UInt8]) {
    let original = [UInt8(truncatingIfNeeded: sequenceNumber >> 8), UInt8(truncatingIfNeeded: sequenceNumber)]
    let header = RTPHeader(
      payloadType: 97, sequenceNumber: rtxSequenceNumber, timestamp: timestamp, ssrc: ssrcs.videoRTX)
    rtxSequenceNumber &+= 1
    outgoing.append(sealed(header, payload: original + payload))
  }

  /// Encrypts an RTP packet in place; returns its length then.
  func protect(_ bytes: UnsafeMutableRawBufferPointer, length: Int) -> Int {
    transport.protectRTP(bytes, length: length) ?? 0
  }

  func sendRTCP(_ body: (inout OutputRawSpan) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1_500)
    let count = buffer.withUnsafeMutableBytes { bytes in
      var output = OutputRawSpan(buffer: bytes, initializedCount: 0)
      body(&output)
      let length = output.finalize(for: bytes)
      return transport.protectRTCP(bytes, length: length) ?? 0
    }
    outgoing.append(Array(buffer[..<count]))
  }

  func sendNACK(_ ssrc: UInt32, _ lost: [UInt16]) {
    sendRTCP { _ = RTCPFeedback.writeGenericNACK(senderSSRC: self.id32, mediaSSRC: ssrc, lost: lost.span, into: &$0) }
  }

  func sendPLI(_ ssrc: UInt32) {
    sendRTCP { _ = RTCPFeedback.writePictureLossIndication(senderSSRC: self.id32, mediaSSRC: ssrc, into: &$0) }
  }

  var id32: UInt32 { UInt32(id) }
}

/// What `body` writes.
func written(_ body: (inout OutputRawSpan) -> Void) -> [UInt8] {
  var storage = [UInt8](repeating: 0, count: 1_500)
  let count = storage.withUnsafeMutableBytes { buffer in
    var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
    body(&output)
    return output.finalize(for: buffer)
  }
  return Array(storage.prefix(count))
}
