import MediaBase
import RTPWire
import Testing

@testable import RTPSession

/// What a sent packet says.
struct SentPacket {
  let layout: RTPPacketLayout
  let bytes: [UInt8]
  let descriptor: VP8PayloadDescriptor?
  let data: [UInt8]

  init(_ bytes: [UInt8]) throws {
    layout = try RTPPacketLayout(parsing: bytes.span.bytes)
    self.bytes = bytes
    let payload = bytes.span.bytes.extracting(layout.payloadRange)
    if layout.header.payloadType == 96 {
      let (descriptor, length) = try VP8PayloadDescriptor.parse(payload)
      self.descriptor = descriptor
      data = payload.copy(length..<payload.byteCount)
    } else {
      descriptor = nil
      data = payload.copy(0..<payload.byteCount)
    }
  }

  func element(_ id: UInt8) -> [UInt8]? {
    layout.headerExtension(id: id, in: bytes.span.bytes).map { Array(bytes[$0]) }
  }

  var transportNumber: UInt16? { element(3).map { UInt16($0[0]) << 8 | UInt16($0[1]) } }
}

@Suite struct PacketTests {
  static func packets(_ bench: SessionBench) throws -> [SentPacket] {
    try bench.sentBySender.filter { $0.kind == .rtp }.map { try SentPacket($0.bytes) }
  }

  @Test(arguments: [1, 1_171, 1_172, 1_173, 2_400, 20_000, 300_000]) func aPictureIsCutIntoNearlyEqualPackets(
    size: Int
  ) throws {
    let bench = SessionBench(seed: 1)
    bench.recordsSender = true
    bench.sender.send(
      video: EncodedVideoFrame(data: (0..<size).map { UInt8(truncatingIfNeeded: $0) }, isKeyFrame: true, timestamp: 77),
      ssrc: SessionBench.videoSSRC, now: bench.now)
    bench.drain()
    let packets = try Self.packets(bench)
    #expect(packets.flatMap(\.data) == (0..<size).map { UInt8(truncatingIfNeeded: $0) })
    // Two bytes are left for the lost packet's number in a retransmission.
    #expect(packets.allSatisfy { $0.bytes.count <= 1_198 })
    let sizes = packets.map(\.bytes.count)
    #expect(sizes.dropLast().allSatisfy { $0 == sizes[0] })
    #expect(sizes.last.map { sizes[0] - $0 < packets.count } == true)
    #expect(packets.map(\.layout.header.marker) == (1...packets.count).map { $0 == packets.count })
    #expect(packets.map { $0.descriptor?.startsPartition } == (0..<packets.count).map { $0 == 0 })
    #expect(Set(packets.map { $0.descriptor?.pictureID }).count == 1)
    #expect(packets.allSatisfy { $0.layout.header.timestamp == 77 })
  }

  @Test func picturesAreNumberedAsTheStandardSays() throws {
    let bench = SessionBench(seed: 2)
    bench.recordsSender = true
    bench.encoder.pattern = [0, 2, 1, 2]
    bench.stream(pictures: 7)
    bench.encoder.wantsKeyFrame = true
    bench.stream(pictures: 2)
    let starts = try Self.packets(bench).compactMap(\.descriptor).filter(\.startsPartition)
    func steps(_ values: [Int]) -> [Int] { values.map { $0 - values[0] } }
    #expect(steps(starts.map { Int($0.pictureID ?? 0) }) == Array(0...8))
    #expect(starts.map(\.temporalID) == [0, 2, 1, 2, 0, 2, 1, 0, 2])
    #expect(steps(starts.map { Int($0.tl0PicIdx ?? 0) }) == [0, 0, 0, 0, 1, 1, 1, 2, 2])
    #expect(steps(starts.map { Int($0.keyIndex ?? 0) }) == [0, 0, 0, 0, 0, 0, 0, 1, 1])
  }

  @Test func everyPacketHasTheNextTransportWideNumber() throws {
    let bench = SessionBench(seed: 3)
    bench.recordsSender = true
    bench.forward.loss = 0.1
    for index in 0..<200 {
      bench.sender.send(
        audio: EncodedAudioFrame(data: [0x78, 1], timestamp: UInt32(index) * 960, sampleCount: 960), level: 30,
        ssrc: SessionBench.audioSSRC, now: bench.now)
      bench.stream(pictures: 1)
    }
    let packets = try Self.packets(bench)
    #expect(Set(packets.map(\.layout.header.payloadType)) == [96, 97, 111])
    #expect(packets.map(\.transportNumber) == packets.indices.map { UInt16($0) })
  }

  @Test func soundCarriesItsLevelAndArrivesAsItWas() throws {
    let bench = SessionBench(seed: 4)
    bench.recordsSender = true
    for (index, level) in ([0, 45, 127, nil] as [UInt8?]).enumerated() {
      bench.sender.send(
        audio: EncodedAudioFrame(
          data: [0x78, UInt8(index)], timestamp: UInt32(index) &* 960, sampleCount: 960, startsTalkSpurt: index == 0),
        level: level, ssrc: SessionBench.audioSSRC, now: bench.now)
      bench.drain()
      bench.run(for: .milliseconds(20))
    }
    #expect(try Self.packets(bench).map { $0.element(1) } == [[0x80], [0x80 | 45], [127], nil])
    #expect(bench.audioPackets.map(\.level) == [0, 45, 127, nil])
    #expect(bench.audioPackets.map(\.payload) == (0..<4).map { [0x78, $0] })
    #expect(bench.audioPackets.map(\.startsTalkSpurt) == [true, false, false, false])
    #expect(bench.audioPackets.map(\.timestamp) == [0, 960, 1_920, 2_880])
    #expect(bench.firstPackets == [SessionBench.audioSSRC])
  }

  @Test func soundThatComesTwiceIsReportedOnce() {
    let bench = SessionBench(seed: 5)
    bench.forward.duplication = 1
    for index in 0..<50 as Range<UInt32> {
      bench.sender.send(
        audio: EncodedAudioFrame(data: [0x78, 1], timestamp: index * 960, sampleCount: 960), level: nil,
        ssrc: SessionBench.audioSSRC, now: bench.now)
      bench.drain()
      bench.run(for: .milliseconds(20))
    }
    bench.run(for: .milliseconds(20))
    #expect(bench.audioPackets.count == 50)
    #expect(bench.receiver.receiveStatistics(ssrc: SessionBench.audioSSRC)?.packetsDiscarded == 50)
    #expect(bench.receiver.receiveStatistics(ssrc: SessionBench.audioSSRC)?.packetsLost == 0)
  }

  @Test func aRetransmissionHoldsTheLostNumberAndPayload() throws {
    let bench = SessionBench(seed: 6)
    bench.recordsSender = true
    bench.encoder.size = 3_000...3_000
    bench.stream(pictures: 2)
    bench.forward.loss = 1
    bench.stream(pictures: 1)
    bench.forward.loss = 0
    bench.stream(pictures: 2)
    let packets = try Self.packets(bench)
    let again = packets.filter { $0.layout.header.ssrc == SessionBench.rtxSSRC }
    #expect(again.count == 3)
    for packet in again {
      #expect(packet.bytes.count <= 1_200)
      let number = UInt16(packet.data[0]) << 8 | UInt16(packet.data[1])
      let original = packets.first {
        $0.layout.header.ssrc == SessionBench.videoSSRC && $0.layout.header.sequenceNumber == number
      }
      #expect(packet.layout.header.payloadType == 97)
      #expect(packet.layout.header.timestamp == original?.layout.header.timestamp)
      #expect(packet.layout.header.marker == original?.layout.header.marker)
      #expect(original.map { Array($0.bytes[$0.layout.payloadRange]) } == Array(packet.data.dropFirst(2)))
    }
  }

  @Test func aStreamThatComesBackGoesOnCounting() throws {
    let bench = SessionBench(seed: 7)
    bench.recordsSender = true
    bench.stream(pictures: 5)
    bench.sender.removeSendStream(ssrc: SessionBench.videoSSRC)
    bench.sender.addSendStream(kind: .video, ssrc: SessionBench.videoSSRC, rtxSSRC: SessionBench.rtxSSRC)
    bench.encoder.wantsKeyFrame = true
    bench.stream(pictures: 5)
    let numbers = try Self.packets(bench).map(\.layout.header.sequenceNumber)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
    #expect(bench.goodbyes == [SessionBench.videoSSRC])
    #expect(bench.frames.count == 10)
    bench.checkDecodability()
  }

  @Test func everyCounterMayWrapInTheMiddleOfLosses() {
    let bench = SessionBench(seed: 8)
    bench.sender.sendStreams[SessionBench.videoSSRC]?.position.sequenceNumber = 65_400
    bench.sender.sendStreams[SessionBench.videoSSRC]?.position.rtxSequenceNumber = 65_530
    bench.sender.sendStreams[SessionBench.videoSSRC]?.position.pictureID = 32_700
    bench.sender.sendStreams[SessionBench.videoSSRC]?.position.tl0PicIdx = 240
    bench.sender.transportSequenceNumber = 65_500
    bench.encoder.timestamp = 0xFFFF_F000
    bench.stream(pictures: 20)
    bench.forward.loss = 0.05
    bench.stream(pictures: 400)
    bench.forward.loss = 0
    bench.stream(pictures: 60)
    #expect(bench.frames.count > 470)
    #expect(bench.receiveStatistics.packetsRecovered > 50)
    #expect(bench.receiveStatistics.decodingBreaks == 0)
    #expect(bench.receiveStatistics.jitter < .milliseconds(20))
    bench.checkDecodability()
  }

  @Test func whatHasNoRoomStaysQueued() {
    let bench = SessionBench(seed: 9)
    bench.sender.send(
      video: EncodedVideoFrame(data: Array(repeating: 1, count: 500), isKeyFrame: true, timestamp: 0),
      ssrc: SessionBench.videoSSRC, now: bench.now)
    var kind: RTPTransmitKind?
    #expect([UInt8](capacity: 100) { kind = bench.sender.pollTransmit(into: &$0) }.isEmpty)
    #expect(kind == nil)
    #expect(SessionBench.transmit(&bench.sender)?.kind == .rtp)
  }

  @Test func aQueueThatNobodyEmptiesStopsGrowing() {
    let bench = SessionBench(seed: 10)
    for _ in 0..<2_000 {
      bench.sender.send(video: bench.encoder.next(time: bench.now), ssrc: SessionBench.videoSSRC, now: bench.now)
    }
    var count = 0
    while SessionBench.transmit(&bench.sender) != nil { count += 1 }
    #expect(count == 2_048)
  }
}
