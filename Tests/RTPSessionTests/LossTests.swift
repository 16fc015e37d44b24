import MediaBase
import RTPWire
import Testing

@testable import RTPSession

@Suite struct LossTests {
  @Test(arguments: 0..<60 as Range<UInt64>) func whatIsDeliveredCanBeDecodedAndTheStreamRecovers(seed: UInt64) {
    let bench = SessionBench(seed: seed, probes: true)
    var random = SeededRandom(seed: seed)
    bench.forward.loss = Double(seed % 5) * 0.05
    bench.backward.loss = bench.forward.loss
    bench.forward.duplication = 0.03
    let delay = MediaDuration.milliseconds(.random(in: 1...100, using: &random))
    bench.forward.delay = delay
    bench.backward.delay = delay
    bench.forward.jitter = .milliseconds(.random(in: 0...30, using: &random))
    if seed % 3 == 1 { bench.encoder.pattern = [0, 1] }
    if seed % 3 == 2 { bench.encoder.pattern = [0, 2, 1, 2] }
    bench.stream(pictures: 450)
    #expect(!bench.frames.isEmpty)
    #expect(bench.longestFreeze <= .milliseconds(2_500))
    // Once nothing is lost any more, the stream is whole again soon.
    bench.forward.loss = 0
    bench.backward.loss = 0
    bench.stream(pictures: 60)
    bench.stream(pictures: 60)
    bench.run(for: .milliseconds(300))
    let numbers = Set(bench.frames.map { FakeEncoder.number($0.frame) })
    // Of a picture of a higher layer, nobody can tell whether it refers to one that is missing; the base layer is whole.
    let expected = (510...569 as ClosedRange<UInt32>).filter { bench.encoder.pictures[Int($0)].temporalID == 0 }
    #expect(numbers.isSuperset(of: expected))
    bench.checkDecodability()
  }

  @Test func theMiddleOfAFirstKeyFrameIsAskedForIfItsEndOvertakesItsStart() {
    let bench = SessionBench(seed: 1)
    bench.encoder.keyFrameSize = 3_000...3_000
    bench.sender.send(video: bench.encoder.next(time: bench.now), ssrc: SessionBench.videoSSRC, now: bench.now)
    var packets: [[UInt8]] = []
    while let (_, bytes) = SessionBench.transmit(&bench.sender) { packets.append(bytes) }
    #expect(packets.count == 3)
    // The one in the middle is lost; no later packet tells of it.
    for packet in [packets[2], packets[0]] { SessionBench.give(packet, .rtp, to: &bench.receiver, now: bench.now) }
    bench.run(for: .milliseconds(200))
    #expect(bench.frames.count == 1)
  }

  @Test(arguments: [[0], [0, 1], [0, 2, 1, 2]] as [[UInt8]]) func withoutLossEveryPictureComesAtOnce(pattern: [UInt8]) {
    let bench = SessionBench(seed: 1)
    bench.encoder.pattern = pattern
    bench.stream(pictures: 300)
    #expect(bench.frames.map { FakeEncoder.number($0.frame) } == Array(0..<300))
    for (time, frame) in bench.frames { #expect(time == frame.arrival(of: bench)) }
    #expect(bench.receiveStatistics.retransmissionsRequested == 0)
    #expect(bench.receiveStatistics.packetsLost == 0)
    #expect(bench.receiveStatistics.keyFramesRequested == 0)
    #expect(bench.receiveStatistics.keyFramesDelivered == 1)
    #expect(bench.keyFrameRequests == 0)
    bench.checkDecodability()
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func neighboursThatChangePlacesAreNotAskedForAgain(seed: UInt64) {
    let bench = SessionBench(seed: seed)
    bench.encoder.keyFrameSize = 200...900
    bench.encoder.size = 200...900
    bench.stream(pictures: 1)
    // One packet a picture, 33 ms apart, and at most 40 ms late: only neighbours change places, by at most 7 ms.
    bench.forward.jitter = .milliseconds(40)
    bench.stream(pictures: 300)
    bench.run(for: .milliseconds(100))
    #expect(bench.receiveStatistics.retransmissionsRequested == 0)
    #expect(bench.frames.count == 301)
    bench.checkDecodability()
  }

  @Test func aLostPacketComesByRetransmissionAfterARoundTrip() {
    let bench = SessionBench(seed: 4)
    bench.encoder.size = 3_000...3_000
    bench.stream(pictures: 30)
    bench.forward.loss = 1
    bench.stream(pictures: 1)
    bench.forward.loss = 0
    bench.stream(pictures: 30)
    #expect(bench.frames.map { FakeEncoder.number($0.frame) } == Array(0...60))
    #expect(bench.receiveStatistics.packetsRecovered == 3)
    #expect(bench.receiveStatistics.packetsLost == 0)
    #expect(bench.receiveStatistics.retransmissionsRequested == 3)
    #expect(bench.sendStatistics.packetsRetransmitted == 3)
    #expect(bench.longestFreeze < .milliseconds(100))
    #expect(bench.keyFrameRequests == 0)
  }

  @Test func aMissingPictureOfAHigherLayerDoesNotHoldUpTheBaseLayer() {
    let bench = SessionBench(seed: 5)
    bench.encoder.pattern = [0, 1]
    // Nothing comes back: no retransmission, no key frame.
    bench.backward.loss = 1
    bench.stream(pictures: 11)
    bench.forward.loss = 1
    bench.stream(pictures: 1)
    bench.forward.loss = 0
    bench.stream(pictures: 20)
    bench.run(for: .milliseconds(20))
    let numbers = bench.frames.map { FakeEncoder.number($0.frame) }
    #expect(numbers == Array(0...10) + stride(from: 12, through: 30, by: 2))
    #expect(bench.longestFreeze < .milliseconds(70))
    bench.checkDecodability()
  }

  @Test func afterALossThatIsNotRepairedNothingComesUntilAKeyFrame() {
    let bench = SessionBench(seed: 6)
    bench.encoder.size = 3_000...3_000
    bench.stream(pictures: 30)
    bench.forward.loss = 1
    bench.stream(pictures: 1)
    bench.forward.loss = 0
    bench.backward.loss = 1
    bench.stream(pictures: 60)
    #expect(bench.frames.count == 30)
    let requests = bench.receiveStatistics.keyFramesRequested
    // Asked for after half a second, and from then on five times a second.
    #expect((6...9).contains(requests))
    #expect(bench.receiveStatistics.retransmissionsRequested >= 4 * 3)
    bench.backward.loss = 0
    bench.stream(pictures: 30)
    #expect(bench.frames.count > 40)
    #expect(bench.frames.dropFirst(30).first?.frame.isKeyFrame == true)
    #expect(bench.receiveStatistics.decodingBreaks == 1)
    bench.checkDecodability()
  }

  @Test func aStreamThatBeginsInTheMiddleAsksForAKeyFrameAtOnce() {
    let bench = SessionBench(seed: 7)
    bench.forward.loss = 1
    bench.stream(pictures: 10)
    bench.forward.loss = 0
    let start = bench.now
    bench.stream(pictures: 10)
    #expect(bench.firstPackets == [SessionBench.videoSSRC])
    // There, back, at most one picture's time, and there again.
    let first = bench.frames.first
    #expect(first?.frame.isKeyFrame == true)
    #expect(first.map { $0.time - start <= .milliseconds(10 + 10 + 34 + 10) } == true)
    #expect(bench.keyFrameRequests == 1)
  }

  @Test func retransmissionGoesOnTheStreamItselfWithoutAnotherSSRC() {
    let bench = SessionBench(seed: 8, adds: false)
    bench.sender.addSendStream(kind: .video, ssrc: SessionBench.videoSSRC, rtxSSRC: nil)
    bench.receiver.addReceiveStream(kind: .video, ssrc: SessionBench.videoSSRC, rtxSSRC: nil)
    bench.recordsSender = true
    bench.forward.loss = 0.1
    bench.stream(pictures: 300)
    #expect(bench.sendStatistics.packetsRetransmitted > 0)
    var bytesOfNumber: [UInt16: [UInt8]] = [:]
    for (kind, bytes) in bench.sentBySender where kind == .rtp {
      let number = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
      #expect(bytesOfNumber.updateValue(bytes, forKey: number).map { $0 == bytes } ?? true)
    }
    bench.checkDecodability()
  }
}

extension EncodedVideoFrame {
  /// When a picture has to come out if it comes out at once: its packets are sent when it is captured.
  func arrival(of bench: SessionBench) -> MediaInstant {
    bench.encoder.pictures[Int(FakeEncoder.number(self))].captureTime + bench.forward.delay
  }
}
