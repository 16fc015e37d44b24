import MediaBase
import RTPWire
import Testing

@testable import RTPSession

@Suite struct HostileInputTests {
  static func mutate(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var result = bytes
    switch Int.random(in: 0..<4, using: &random) {
    case 0: result = Array(result.prefix(Int.random(in: 0...result.count, using: &random)))
    case 1:
      result += (0..<Int.random(in: 1...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    default:
      guard !result.isEmpty else { break }
      // Mostly the headers, which decide.
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let end = min(result.count, Bool.random(using: &random) ? 40 : result.count)
        result[Int.random(in: 0..<end, using: &random)] = .random(in: 0...255, using: &random)
      }
    }
    return result
  }

  /// Real traffic, of which a part is changed at random, in both directions.
  @Test(arguments: 0..<30 as Range<UInt64>) func changedPacketsNeverTrapAndTheStreamSurvives(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let bench = SessionBench(seed: seed)
    bench.recordsSender = true
    bench.forward.loss = 0.05
    for index in 0..<200 as Range<UInt32> {
      bench.sender.send(
        audio: EncodedAudioFrame(data: [0x78, 1, 2], timestamp: index &* 960, sampleCount: 960), level: 40,
        ssrc: SessionBench.audioSSRC, now: bench.now)
      bench.stream(pictures: 1)
      for (kind, bytes) in bench.sentBySender.suffix(4) {
        let changed = Self.mutate(bytes, &random)
        SessionBench.give(changed, Bool.random(using: &random) ? kind : .rtp, to: &bench.receiver, now: bench.now)
      }
      for bytes in bench.sentByReceiver.suffix(3) {
        SessionBench.give(Self.mutate(bytes, &random), .rtcp, to: &bench.sender, now: bench.now)
        SessionBench.give(Self.mutate(bytes, &random), .rtcp, to: &bench.receiver, now: bench.now)
      }
      bench.drain()
    }
    let before = bench.frames.count
    bench.forward.loss = 0
    bench.stream(pictures: 150)
    #expect(bench.frames.count - before > 60)
  }

  /// Packets of nothing but chance on known streams: sequence numbers, timestamps and descriptors jump as they like.
  @Test(arguments: 0..<20 as Range<UInt64>) func randomPacketsOfKnownStreamsNeverTrap(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let bench = SessionBench(seed: seed)
    var number: UInt16 = 0
    for _ in 0..<3_000 {
      let ssrcs = [
        SessionBench.videoSSRC, SessionBench.rtxSSRC, SessionBench.audioSSRC, .random(in: 0...99, using: &random),
      ]
      number =
        Int.random(in: 0..<50, using: &random) == 0
        ? .random(in: 0...65_535, using: &random) : number &+ .random(in: 0...3, using: &random)
      let header = RTPHeader(
        marker: Int.random(in: 0..<3, using: &random) == 0,
        payloadType: [96, 97, 111].randomElement(using: &random) ?? 96,
        sequenceNumber: number, timestamp: .random(in: 0...3, using: &random) &* 0x5000_0000,
        ssrc: ssrcs.randomElement(using: &random) ?? 0)
      let payload = (0..<Int.random(in: 0...14, using: &random)).map { _ in
        [0x90, 0x10, 0x80, 0xF0, 0x50, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0 as UInt8
      }
      let packet = [UInt8](capacity: 64) { output in
        _ = header.write(into: &output)
        output.append(contentsOf: payload.span.bytes)
      }
      SessionBench.give(packet, .rtp, to: &bench.receiver, now: bench.now)
      bench.now = bench.now + .microseconds(.random(in: 0...20_000, using: &random))
      bench.receiver.handleTimeout(now: bench.now)
      while SessionBench.transmit(&bench.receiver) != nil {}
      while bench.receiver.pollEvent() != nil {}
    }
    #expect(bench.receiveStatistics.packetsReceived > 0)
  }

  @Test func aJumpOfSequenceNumbersCostsOneKeyFrame() {
    for jump in [1_500, 20_000, 40_000, 65_000] as [UInt16] {
      let bench = SessionBench(seed: 3)
      bench.stream(pictures: 60)
      bench.sender.sendStreams[SessionBench.videoSSRC]?.position.sequenceNumber &+= jump
      bench.stream(pictures: 60)
      #expect(bench.keyFrameRequests == 1, "\(jump)")
      #expect(bench.frames.count >= 112, "\(jump)")
      #expect(bench.receiveStatistics.decodingBreaks == 1, "\(jump)")
      bench.checkDecodability()
    }
  }

  @Test func onePacketFromFarAwayChangesNothing() throws {
    let bench = SessionBench(seed: 4)
    bench.recordsSender = true
    bench.stream(pictures: 30)
    var stray = try #require(bench.sentBySender.last { $0.kind == .rtp }).bytes
    stray[2] ^= 0x40
    SessionBench.give(stray, .rtp, to: &bench.receiver, now: bench.now)
    bench.stream(pictures: 30)
    #expect(bench.frames.count == 60)
    #expect(bench.receiveStatistics.decodingBreaks == 0)
    #expect(bench.receiveStatistics.retransmissionsRequested == 0)
  }

  @Test func padsAndPayloadsWithoutDataHaveTheirPlaceInTheSequence() {
    let bench = SessionBench(seed: 5)
    bench.stream(pictures: 10)
    // RFC 3550 padding only; a descriptor and nothing else; a cut descriptor; a foreign payload type.
    let payloads: [(UInt8, UInt8, [UInt8])] = [
      (0xA0, 96, [0, 0, 0, 4]), (0x80, 96, [0x10]), (0x80, 96, [0x90, 0x80, 0x81]), (0x80, 120, [1, 2, 3]),
      (0x80, 96, []),
    ]
    for (first, payloadType, payload) in payloads {
      let number = bench.sender.sendStreams[SessionBench.videoSSRC]?.takeSequenceNumber() ?? 0
      let packet = [UInt8](capacity: 64) { output in
        _ = RTPHeader(
          payloadType: payloadType, sequenceNumber: number, timestamp: 99, ssrc: SessionBench.videoSSRC
        ).write(into: &output)
        output.append(contentsOf: payload.span.bytes)
      }
      SessionBench.give([first] + packet.dropFirst(), .rtp, to: &bench.receiver, now: bench.now)
      bench.stream(pictures: 2)
    }
    #expect(bench.frames.count == 20)
    #expect(bench.receiveStatistics.retransmissionsRequested == 0)
    #expect(bench.receiveStatistics.packetsLost == 0)
    bench.checkDecodability()
  }

  @Test func aKeyFrameOfHundredsOfPacketsComesThrough() {
    let bench = SessionBench(seed: 6)
    bench.encoder.keyFrameSize = 700_000...700_000
    bench.forward.loss = 0.05
    bench.stream(pictures: 60)
    #expect(bench.frames.first?.frame.data.count == 700_000)
    #expect(bench.frames.count > 50)
    bench.checkDecodability()
  }

  @Test func aSenderThatForgetsTheMarkerIsStillUnderstood() throws {
    let bench = SessionBench(seed: 7)
    bench.recordsSender = true
    let other = SessionBench(seed: 7)
    for _ in 0..<30 { bench.stream(pictures: 1) }
    for (_, bytes) in bench.sentBySender.filter({ $0.kind == .rtp }) {
      var changed = bytes
      changed[1] &= 0x7F
      SessionBench.give(changed, .rtp, to: &other.receiver, now: other.now)
    }
    other.drain()
    // A picture is known to be complete when the next one begins.
    #expect(other.frames.map { FakeEncoder.number($0.frame) } == Array(0..<29))
  }

  @Test func memoryIsBoundedWhateverComes() {
    let bench = SessionBench(seed: 8)
    // A picture that never ends, of which every other packet is missing.
    for number in stride(from: 0, to: 60_000, by: 2) {
      let packet = [UInt8](capacity: 64) { output in
        _ = RTPHeader(
          payloadType: 96, sequenceNumber: UInt16(number), timestamp: 1, ssrc: SessionBench.videoSSRC
        ).write(into: &output)
        output.append(0x00)
        output.append(0x01)
      }
      SessionBench.give(packet, .rtp, to: &bench.receiver, now: bench.now)
      bench.now = bench.now + .microseconds(100)
    }
    var datagrams = 0
    while SessionBench.transmit(&bench.receiver) != nil { datagrams += 1 }
    #expect(datagrams <= 2_048)
    #expect(bench.receiveStatistics.packetsReceived == 30_000)
  }
}
