import MediaBase
import RTPWire
import Testing

@Suite struct RTCPTests {
  static let block = RTCPReportBlock(
    ssrc: 9, fractionLost: 51, cumulativeLost: -3, extendedHighestSequenceNumber: 0x0001_FFFF, jitter: 44,
    lastSenderReport: 0x1234_5678, delaySinceLastSenderReport: 65_536)

  @Test func reportsOfACompoundReadBackEqual() throws {
    let reports = [
      RTCPReport(
        ssrc: 1,
        sender: .init(ntpTimestamp: 0x0102_0304_0506_0708, rtpTimestamp: 90_000, packetCount: 5, octetCount: .max),
        blocks: [Self.block]),
      RTCPReport(ssrc: 2, blocks: Array(repeating: Self.block, count: 31)),
    ]
    let bytes = written { for report in reports { check(report.write(into: &$0)) } }
    var offset = 0
    for report in reports {
      let layout = try RTCPPacketLayout(parsing: bytes.span.bytes, at: offset)
      check(try RTCPReport(parsing: bytes.span.bytes, at: layout) == report)
      offset = layout.range.upperBound
    }
    check(offset == bytes.count)
  }

  @Test func nackNamesExactlyTheLostAcrossTheWrap() throws {
    let lost: [UInt16] = [65_530, 65_531, 65_535, 0, 9, 10, 200]
    let bytes = written {
      check(RTCPFeedback.writeGenericNACK(senderSSRC: 1, mediaSSRC: 2, lost: lost.span, into: &$0) == lost.count)
    }
    check(bytes.count == 12 + 2 * 4)
    let layout = try RTCPPacketLayout(parsing: bytes.span.bytes, at: 0)
    var read: [UInt16] = []
    RTCPFeedback.forEachLostSequenceNumber(in: bytes.span.bytes, at: layout) { read.append($0) }
    check(read == lost)
  }

  @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 1_234_567, 50_000_000, UInt64.max] as [UInt64])
  func anEstimateReadsBackToTheMantissasLength(bitrate: UInt64) throws {
    let bytes = written {
      check(RTCPFeedback.writeReceiverEstimate(senderSSRC: 1, bitrate: bitrate, mediaSSRCs: [7, 8], into: &$0))
    }
    check(bytes.count == 28 && bytes.suffix(8) == [0, 0, 0, 7, 0, 0, 0, 8])
    let layout = try RTCPPacketLayout(parsing: bytes.span.bytes, at: 0)
    let read = RTCPFeedback.receiverEstimate(in: bytes.span.bytes, at: layout) ?? 1
    check(read <= bitrate && bitrate - read <= bitrate >> 17)
    let none = written(capacity: 27) {
      check(!RTCPFeedback.writeReceiverEstimate(senderSSRC: 1, bitrate: bitrate, mediaSSRCs: [7, 8], into: &$0))
    }
    check(none.isEmpty)
  }

  @Test(arguments: [(nil, nil), (0, 0), (1_234_000, 17), (5_000_000_000, 70_000)] as [(Int?, Int64?)])
  func aDownlinkReportReadsBackEqual(bitrate: Int?, milliseconds: Int64?) throws {
    let queueDelay = milliseconds.map { MediaDuration.milliseconds($0) }
    let videos = (0..<5 as Range<UInt32>).map {
      DownlinkReport.Video(ssrc: $0 &* 0x1234_5678, layer: UInt8($0), layerCount: 3, isPaused: $0 % 2 == 1)
    }
    let bytes = written {
      check(DownlinkReport.videoCapacity(freeCapacity: 20 + 5 * 8) == 5)
      check(DownlinkReport.videoCapacity(freeCapacity: 19) == nil)
      DownlinkReport.writeHead(
        senderSSRC: 1, bitrate: bitrate, queueDelay: queueDelay, videoCount: videos.count, into: &$0)
      for video in videos { DownlinkReport.write(video, into: &$0) }
    }
    check(bytes.count == 20 + 5 * 8)
    let layout = try RTCPPacketLayout(parsing: bytes.span.bytes, at: 0)
    check(layout.range == 0..<bytes.count)
    let known = bitrate == 0 ? nil : bitrate
    check(
      DownlinkReport(parsing: bytes.span.bytes, at: layout)
        == DownlinkReport(bitrate: known, queueDelay: queueDelay, videos: videos))
    // Another name, another subtype, too short.
    for (place, byte) in [(8, UInt8(0)), (0, 0x81), (1, 205)] {
      var changed = bytes
      changed[place] = byte
      let layout = try RTCPPacketLayout(parsing: changed.span.bytes, at: 0)
      check(DownlinkReport(parsing: changed.span.bytes, at: layout) == nil)
    }
    let short: [UInt8] = [0x80, 204, 0, 3] + Array(bytes[4..<16])
    check(DownlinkReport(parsing: short.span.bytes, at: try RTCPPacketLayout(parsing: short.span.bytes, at: 0)) == nil)
  }

  @Test func nackStopsWhereTheRoomEnds() throws {
    let lost: [UInt16] = [1, 100, 200]
    let bytes = written(capacity: 20) {
      check(RTCPFeedback.writeGenericNACK(senderSSRC: 1, mediaSSRC: 2, lost: lost.span, into: &$0) == 2)
    }
    check(bytes.count == 20)
    let none = written(capacity: 15) {
      check(RTCPFeedback.writeGenericNACK(senderSSRC: 1, mediaSSRC: 2, lost: lost.span, into: &$0) == 0)
    }
    check(none.isEmpty)
  }

  @Test func keyFrameRequestsHaveTheBytesOfTheStandard() {
    let loss = written {
      check(RTCPFeedback.writePictureLossIndication(senderSSRC: 1, mediaSSRC: 2, into: &$0))
    }
    check(loss == [0x81, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2])
    let intra = written {
      check(RTCPFeedback.writeFullIntraRequest(senderSSRC: 1, targetSSRC: 2, sequenceNumber: 7, into: &$0))
    }
    check(intra == [0x84, 206, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 7, 0, 0, 0])
  }

  /// Profiles may add to reports (RFC 3550 section 6.4.3): what stands behind the blocks is passed over.
  @Test(arguments: [0, 4, 8, 24]) func reportsMayHaveMoreBehindTheirBlocks(extra: Int) throws {
    let block = RTCPReportBlock(
      ssrc: 9, fractionLost: 1, cumulativeLost: 2, extendedHighestSequenceNumber: 3, jitter: 4, lastSenderReport: 5,
      delaySinceLastSenderReport: 6)
    for sender in [nil, RTCPReport.SenderInfo(ntpTimestamp: 1, rtpTimestamp: 2, packetCount: 3, octetCount: 4)] {
      let report = RTCPReport(ssrc: 7, sender: sender, blocks: [block])
      var bytes = written { check(report.write(into: &$0)) }
      bytes += [UInt8](repeating: 0xEE, count: extra)
      bytes[3] += UInt8(extra / 4)
      let layout = try firstPacket(bytes)
      check(layout.range == 0..<bytes.count)
      check(try RTCPReport(parsing: bytes.span.bytes, at: layout) == report)
    }
  }

  @Test func malformedCompoundsAreRefused() {
    #expect(throws: RTPParseError.truncated) { try firstPacket([0x80, 200, 0]) }
    #expect(throws: RTPParseError.truncated) { try firstPacket([0x80, 200, 0, 1]) }
    #expect(throws: RTPParseError.unsupportedVersion) {
      try firstPacket([0x40, 200, 0, 0])
    }
    #expect(throws: RTPParseError.invalidPadding) {
      try firstPacket([0xA0, 200, 0, 1, 0, 0, 0, 8])
    }
    let shortReport: [UInt8] = [0x81, 201, 0, 1, 0, 0, 0, 1]
    #expect(throws: RTPParseError.truncated) {
      try RTCPReport(
        parsing: shortReport.span.bytes, at: RTCPPacketLayout(parsing: shortReport.span.bytes, at: 0))
    }
  }

  @Test func randomCompoundsNeverTrap() {
    var random = SeededRandom(seed: 2)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { index in
        index % 4 == 2
          ? 0 : index == 0 ? UInt8.random(in: 0x80...0xBF, using: &random) : .random(in: 0...255, using: &random)
      }
      var offset = 0
      while let layout = try? RTCPPacketLayout(parsing: bytes.span.bytes, at: offset) {
        _ = try? RTCPReport(parsing: bytes.span.bytes, at: layout)
        RTCPFeedback.forEachLostSequenceNumber(in: bytes.span.bytes, at: layout) { _ in }
        check(layout.range.upperBound > offset)
        offset = layout.range.upperBound
      }
      check(offset <= bytes.count)
    }
  }

  @Test(arguments: 0...9) func descriptionEndsItsChunkWithZerosOnAMultipleOfFour(length: Int) throws {
    let bytes = written {
      check(RTCPSource.writeDescription(ssrc: 5, cname: String(repeating: "a", count: length), into: &$0))
    }
    let layout = try RTCPPacketLayout(parsing: bytes.span.bytes, at: 0)
    check(layout.range == 0..<bytes.count)
    check(layout.packetType == 202 && layout.count == 1)
    check(Array(bytes[8..<10 + length]) == [1, UInt8(length)] + Array(repeating: 0x61, count: length))
    let end = Array(bytes[(10 + length)...])
    check((1...4).contains(end.count) && end.allSatisfy { $0 == 0 })
  }

  @Test func goodbyeNamesItsSourcesAndNoMoreThanTheBodyHolds() throws {
    let bytes = written { check(RTCPSource.writeGoodbye(ssrc: 0xAABB_CCDD, into: &$0)) }
    var read: [UInt32] = []
    RTCPSource.forEachGoodbyeSSRC(in: bytes.span.bytes, at: try firstPacket(bytes)) { read.append($0) }
    check(read == [0xAABB_CCDD])
    let overstated: [UInt8] = [0x9F, 203, 0, 1, 0, 0, 0, 7]
    read = []
    RTCPSource.forEachGoodbyeSSRC(in: overstated.span.bytes, at: try firstPacket(overstated)) { read.append($0) }
    check(read == [7])
  }
}
