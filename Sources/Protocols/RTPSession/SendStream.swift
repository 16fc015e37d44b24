import MediaBase
import RTPWire

/// One stream that is sent: its counters, and its history.
struct SendStream {
  /// What has to go on counting when a stream is removed and added again: the same SSRC and sequence number under the
  /// same key would repeat a nonce (RFC 7714 section 8.1).
  struct Position {
    var sequenceNumber: UInt16
    var rtxSequenceNumber: UInt16
    var pictureID: UInt16
    var tl0PicIdx: UInt8 = 0
    var keyIndex: UInt8 = 0

    /// Unpredictable to nobody, but different for each stream; the first number is below 2^15, so that a receiver that
    /// misses the beginning cannot guess the wrong rollover counter (RFC 3711 section 3.3.1).
    init(ssrc: UInt32) {
      var random = SeededRandom(seed: UInt64(ssrc))
      let value = random.next()
      sequenceNumber = UInt16(truncatingIfNeeded: value) & 0x7FFF
      rtxSequenceNumber = UInt16(truncatingIfNeeded: value &>> 16) & 0x7FFF
      pictureID = UInt16(truncatingIfNeeded: value &>> 32) & 0x7FFF
    }
  }

  let kind: MediaKind
  let ssrc: UInt32
  let rtxSSRC: UInt32?
  var position: Position
  var history = PacketHistory()
  var statistics = SendStatistics()
  var keyFrameRequests = KeyFrameRequestFilter()
  var hasSentSinceReport = false
  private var packetCount: UInt32 = 0
  private var reportedHighest: UInt32?
  private var octetCount: UInt32 = 0
  private var clock: (timestamp: UInt32, time: MediaInstant)?
  /// When a packet has told last when its picture was captured.
  private var captureTimeTold: MediaInstant?
  private static let captureTimeInterval = MediaDuration.seconds(1 as Int64)

  init(kind: MediaKind, ssrc: UInt32, rtxSSRC: UInt32?, position: Position) {
    self.kind = kind
    self.ssrc = ssrc
    self.rtxSSRC = rtxSSRC
    self.position = position
  }

  var clockRate: Int64 { kind == .video ? 90_000 : 48_000 }

  /// The number of the next packet, which is thereby used up.
  mutating func takeSequenceNumber() -> UInt16 {
    defer { position.sequenceNumber &+= 1 }
    return position.sequenceNumber
  }

  mutating func takeRTXSequenceNumber() -> UInt16 {
    defer { position.rtxSequenceNumber &+= 1 }
    return position.rtxSequenceNumber
  }

  /// The descriptor of a new picture's first packet (RFC 7741 section 4.2).
  mutating func beginPicture(_ frame: EncodedVideoFrame) -> VP8PayloadDescriptor {
    position.pictureID = (position.pictureID &+ 1) & 0x7FFF
    if frame.temporalID == 0 { position.tl0PicIdx &+= 1 }
    if frame.isKeyFrame {
      position.keyIndex = (position.keyIndex &+ 1) & 0x1F
      statistics.keyFramesSent &+= 1
      keyFrameRequests.keyFrameSent()
    }
    statistics.framesSent &+= 1
    // Encoders make the pictures above the base layer from that alone.
    return VP8PayloadDescriptor(
      isNonReference: !frame.isReference, startsPartition: true, pictureID: position.pictureID,
      tl0PicIdx: position.tl0PicIdx,
      temporalID: min(frame.temporalID, 3), isLayerSync: frame.temporalID > 0 && !frame.isReference,
      keyIndex: position.keyIndex)
  }

  /// Whether the next picture tells when it was captured: receivers follow the clock from there.
  mutating func tellsCaptureTime(now: MediaInstant) -> Bool {
    if let told = captureTimeTold, now - told < Self.captureTimeInterval { return false }
    captureTimeTold = now
    return true
  }

  /// Counts a packet; true if it is the stream's first.
  mutating func sent(payloadBytes: Int, timestamp: UInt32, sampledAt time: MediaInstant) -> Bool {
    defer { packetCount &+= 1 }
    octetCount &+= UInt32(truncatingIfNeeded: payloadBytes)
    statistics.packetsSent &+= 1
    statistics.payloadBytesSent &+= payloadBytes
    clock = (timestamp, time)
    hasSentSinceReport = true
    return packetCount == 0
  }

  /// What a sender report says of the stream at `now` (RFC 3550 section 6.4.1); `nil` before the first packet. `offset` leads
  /// to the wall clock.
  func senderInfo(now: MediaInstant, offset: MediaDuration) -> RTCPReport.SenderInfo? {
    guard let clock else { return nil }
    let elapsed = (now - clock.time).nanoseconds
    let ticks = elapsed / 1_000_000_000 &* clockRate &+ elapsed % 1_000_000_000 &* clockRate / 1_000_000_000
    return RTCPReport.SenderInfo(
      ntpTimestamp: NTPTime.timestamp(now + offset), rtpTimestamp: clock.timestamp &+ UInt32(truncatingIfNeeded: ticks),
      packetCount: packetCount, octetCount: octetCount)
  }

  /// Takes a report; how many packets it covers.
  mutating func received(_ block: RTCPReportBlock) -> Int {
    statistics.remoteFractionLost = Double(block.fractionLost) / 256
    statistics.remotePacketsLost = max(0, Int(block.cumulativeLost))
    statistics.remoteJitter = MediaDuration(nanoseconds: Int64(block.jitter) &* 1_000_000_000 / clockRate)
    defer { reportedHighest = block.extendedHighestSequenceNumber }
    guard let reportedHighest else { return 0 }
    return max(0, Int(Int32(bitPattern: block.extendedHighestSequenceNumber &- reportedHighest)))
  }
}
