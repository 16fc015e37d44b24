import MediaBase
import RTPWire
import Testing

@testable import RTPSession

@Suite struct FeedbackTests {
  static func pictureLoss(_ ssrc: UInt32) -> [UInt8] {
    [UInt8](capacity: 12) {
      _ = RTCPFeedback.writePictureLossIndication(senderSSRC: 1, mediaSSRC: ssrc, into: &$0)
    }
  }

  static func intraRequest(_ ssrc: UInt32, number: UInt8) -> [UInt8] {
    [UInt8](capacity: 20) {
      _ = RTCPFeedback.writeFullIntraRequest(senderSSRC: 1, targetSSRC: ssrc, sequenceNumber: number, into: &$0)
    }
  }

  /// The packet types in a compound.
  static func types(_ bytes: [UInt8]) -> [UInt8] {
    var types: [UInt8] = []
    var offset = 0
    while let layout = try? RTCPPacketLayout(parsing: bytes.span.bytes, at: offset) {
      types.append(layout.packetType)
      offset = layout.range.upperBound
    }
    #expect(offset == bytes.count)
    return types
  }

  static func reports(_ bytes: [UInt8]) -> [RTCPReport] {
    var reports: [RTCPReport] = []
    var offset = 0
    while let layout = try? RTCPPacketLayout(parsing: bytes.span.bytes, at: offset) {
      if let report = try? RTCPReport(parsing: bytes.span.bytes, at: layout) { reports.append(report) }
      offset = layout.range.upperBound
    }
    return reports
  }

  @Test func requestsForKeyFramesReachTheEncoderAtMostOnceInThreeTenthsOfASecond() {
    let bench = SessionBench(seed: 1)
    for _ in 0..<100 {
      SessionBench.give(Self.pictureLoss(SessionBench.videoSSRC), .rtcp, to: &bench.sender, now: bench.now)
      bench.drain()
      bench.run(for: .milliseconds(10))
    }
    let times = bench.keyFrameRequestTimes
    #expect(times.count == 4)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(300) })
    #expect(bench.sendStatistics.keyFramesRequested == 100)
  }

  @Test func requestsAfterAKeyFrameAreServedSoonerButNotMoreOftenOnAverage() {
    let bench = SessionBench(seed: 1)
    for _ in 0..<295 {
      SessionBench.give(Self.pictureLoss(SessionBench.videoSSRC), .rtcp, to: &bench.sender, now: bench.now)
      bench.drain()
      if bench.encoder.wantsKeyFrame {
        bench.sender.send(video: bench.encoder.next(time: bench.now), ssrc: SessionBench.videoSSRC, now: bench.now)
      }
      bench.run(for: .milliseconds(10))
    }
    let times = bench.keyFrameRequestTimes.map { ($0 - bench.keyFrameRequestTimes[0]).milliseconds }
    #expect(times == [0, 100, 200, 300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_700])
  }

  @Test func aRequestThatComesTooEarlyIsPassedOnLaterUnlessAKeyFrameGoesOut() {
    for sendsKeyFrame in [false, true] {
      let bench = SessionBench(seed: 2)
      for wait in [MediaDuration.milliseconds(100), .milliseconds(50)] {
        SessionBench.give(Self.pictureLoss(SessionBench.videoSSRC), .rtcp, to: &bench.sender, now: bench.now)
        bench.drain()
        bench.run(for: wait)
      }
      #expect(bench.keyFrameRequests == 1)
      if sendsKeyFrame {
        bench.encoder.wantsKeyFrame = true
        bench.stream(pictures: 1)
      }
      bench.run(for: .milliseconds(400))
      #expect(bench.keyFrameRequests == (sendsKeyFrame ? 1 : 2))
    }
  }

  @Test func aFullIntraRequestCountsOnceForEachNumber() {
    let bench = SessionBench(seed: 3)
    for number in [7, 7, 8] as [UInt8] {
      SessionBench.give(
        Self.intraRequest(SessionBench.videoSSRC, number: number), .rtcp, to: &bench.sender, now: bench.now)
      bench.run(for: .milliseconds(400))
      bench.drain()
    }
    #expect(bench.keyFrameRequests == 2)
  }

  @Test func requestsForUnknownStreamsAndForSoundAreIgnored() {
    let bench = SessionBench(seed: 4)
    for ssrc in [SessionBench.audioSSRC, 12_345] {
      SessionBench.give(Self.pictureLoss(ssrc), .rtcp, to: &bench.sender, now: bench.now)
    }
    bench.run(for: .seconds(1 as Int64))
    bench.drain()
    #expect(bench.keyFrameRequests == 0)
  }

  @Test func aPacketIsNotSentAgainTwiceWithinARoundTrip() {
    let bench = SessionBench(seed: 5)
    bench.forward.delay = .milliseconds(50)
    bench.backward.delay = .milliseconds(50)
    bench.stream(pictures: 60)
    let roundTrip = bench.sender.roundTripTime
    #expect(roundTrip.map { $0 >= .milliseconds(95) && $0 <= .milliseconds(110) } == true)
    let last = bench.sender.sendStreams[SessionBench.videoSSRC].map { $0.position.sequenceNumber &- 1 } ?? 0
    let lost = [last]
    let request = [UInt8](capacity: 16) {
      _ = RTCPFeedback.writeGenericNACK(
        senderSSRC: 1, mediaSSRC: SessionBench.videoSSRC, lost: lost.span, into: &$0)
    }
    for _ in 0..<20 {
      SessionBench.give(request, .rtcp, to: &bench.sender, now: bench.now)
      bench.run(for: .milliseconds(10))
    }
    // 200 ms, and one in 75 ms at most.
    #expect(bench.sendStatistics.packetsRetransmitted == 3)
  }

  @Test func bothSidesLearnTheRoundTrip() {
    let bench = SessionBench(seed: 6)
    bench.forward.delay = .milliseconds(30)
    bench.backward.delay = .milliseconds(50)
    bench.forward.loss = 0.1
    bench.stream(pictures: 90)
    // By reports; by retransmissions, the answer to which comes at most with the picture after.
    for time in [bench.sender.roundTripTime, bench.receiver.roundTripTime] {
      #expect(time.map { $0 >= .milliseconds(79) && $0 <= .milliseconds(90) } == true, "\(String(describing: time))")
    }
  }

  @Test func reportsTellOfLossAndJitterAndTheReportBefore() {
    let bench = SessionBench(seed: 7)
    bench.recordsSender = true
    bench.forward.loss = 0.2
    bench.stream(pictures: 600)
    let reported = bench.sendStatistics
    #expect(reported.remoteFractionLost.map { $0 > 0.05 && $0 < 0.4 } == true)
    let share = Double(reported.remotePacketsLost) / Double(reported.packetsSent)
    #expect(share > 0.16 && share < 0.24)
    #expect(reported.remoteJitter < .milliseconds(5))
    let sent = bench.sentBySender.filter { $0.kind == .rtcp }.flatMap { Self.reports($0.bytes) }
    let infos = sent.filter { $0.ssrc == SessionBench.videoSSRC }.compactMap(\.sender)
    #expect((16...28).contains(infos.count))
    // Both clocks run alike.
    for (first, second) in zip(infos, infos.dropFirst()) {
      let wall = Double(second.ntpTimestamp &- first.ntpTimestamp) / 4_294_967_296
      let media = Double(Int32(bitPattern: second.rtpTimestamp &- first.rtpTimestamp)) / 90_000
      #expect(abs(wall - media) < 0.01)
    }
    #expect(infos.last.map { Int($0.packetCount) <= reported.packetsSent } == true)
    let blocks = bench.sentByReceiver.flatMap { Self.reports($0) }.flatMap(\.blocks)
    let middles = Set(infos.map { UInt32(truncatingIfNeeded: $0.ntpTimestamp >> 16) })
    #expect(blocks.dropFirst(5).allSatisfy { middles.contains($0.lastSenderReport) })
  }

  @Test func theFirstReportComesSoonAndCompoundsHoldTheName() {
    let bench = SessionBench(seed: 8)
    bench.recordsSender = true
    bench.stream(pictures: 3)
    let reports = bench.sentBySender.filter { $0.kind == .rtcp }.map(\.bytes)
    #expect(reports.map { Self.types($0) } == [[200, 202]])
    #expect(bench.sentByReceiver.map { Self.types($0) }.filter { $0 != [205] } == [[201, 202]])
    bench.sender.removeSendStream(ssrc: SessionBench.videoSSRC)
    bench.drain()
    #expect(bench.sentBySender.last.map { Self.types($0.bytes) } == [201, 202, 203])
  }

  @Test func manyStreamsAreReportedInSeveralCompoundsThatFit() {
    let bench = SessionBench(seed: 9, adds: false)
    for index in 0..<100 as Range<UInt32> {
      bench.sender.addSendStream(kind: .audio, ssrc: 1_000 + index, rtxSSRC: nil)
      bench.receiver.addReceiveStream(kind: .audio, ssrc: 1_000 + index, rtxSSRC: nil)
      bench.sender.send(
        audio: EncodedAudioFrame(data: [0x78, 1], timestamp: 0, sampleCount: 960), level: nil, ssrc: 1_000 + index,
        now: bench.now)
    }
    bench.drain()
    bench.run(for: .milliseconds(200))
    #expect(bench.sentByReceiver.allSatisfy { $0.count <= 1_200 })
    let blocks = bench.sentByReceiver.flatMap { Self.reports($0) }.flatMap(\.blocks)
    #expect(blocks.map(\.ssrc).sorted() == (0..<100).map { 1_000 + $0 })
  }

  @Test func packetsThatComeBeforeTheirStreamIsKnownAreKept() {
    let bench = SessionBench(seed: 10, adds: false)
    bench.sender.addSendStream(kind: .video, ssrc: SessionBench.videoSSRC, rtxSSRC: SessionBench.rtxSSRC)
    bench.encoder.keyFrameSize = 20_000...20_000
    bench.encoder.size = 1_000...2_000
    bench.stream(pictures: 10)
    #expect(bench.frames.isEmpty)
    bench.receiver.addReceiveStream(kind: .video, ssrc: SessionBench.videoSSRC, rtxSSRC: SessionBench.rtxSSRC)
    bench.drain()
    #expect(bench.firstPackets == [SessionBench.videoSSRC])
    #expect(bench.frames.count == 10)
    #expect(bench.keyFrameRequests == 0)
    bench.stream(pictures: 10)
    #expect(bench.frames.count == 20)
    bench.checkDecodability()
  }

  @Test func packetsOfUnknownStreamsAreForgottenAfterHalfASecondAndBeyondSixtyFour() {
    let bench = SessionBench(seed: 11, adds: false)
    bench.sender.addSendStream(kind: .video, ssrc: SessionBench.videoSSRC, rtxSSRC: nil)
    bench.encoder.keyFrameSize = 2_000...2_000
    bench.encoder.size = 500...500
    bench.stream(pictures: 5)
    bench.run(for: .milliseconds(550))
    bench.receiver.addReceiveStream(kind: .video, ssrc: SessionBench.videoSSRC, rtxSSRC: nil)
    bench.drain()
    #expect(bench.firstPackets.isEmpty)
    bench.receiver.removeReceiveStream(ssrc: SessionBench.videoSSRC)
    for _ in 0..<500 {
      bench.sender.send(video: bench.encoder.next(time: bench.now), ssrc: SessionBench.videoSSRC, now: bench.now)
    }
    bench.drain()
    bench.run(for: .milliseconds(20))
    bench.receiver.addReceiveStream(kind: .video, ssrc: SessionBench.videoSSRC, rtxSSRC: nil)
    bench.drain()
    #expect(bench.receiveStatistics.packetsReceived == 64)
  }

  @Test func anApplicationThatCannotDecodeGetsAKeyFrame() {
    let bench = SessionBench(seed: 12)
    bench.backward.loss = 0.5
    bench.stream(pictures: 30)
    bench.receiver.requestKeyFrame(ssrc: SessionBench.videoSSRC, now: bench.now)
    bench.drain()
    let requested = bench.frames.count
    bench.stream(pictures: 60)
    // Repeated until it is there, and what can be decoded comes all the time.
    #expect(bench.frames.count == 90)
    #expect(bench.frames[requested...].contains { $0.frame.isKeyFrame })
    #expect(bench.keyFrameRequests == 1)
    bench.checkDecodability()
  }

  @Test func requestsToNobodyCease() {
    let bench = SessionBench(seed: 13)
    bench.receiver.requestKeyFrame(ssrc: SessionBench.videoSSRC, now: bench.now)
    bench.run(for: .seconds(120 as Int64))
    #expect(bench.sentByReceiver.count == 10)
    // ... until a packet shows that somebody is there.
    bench.forward.loss = 1
    bench.stream(pictures: 3)
    bench.forward.loss = 0
    bench.stream(pictures: 15)
    #expect(bench.frames.first?.frame.isKeyFrame == true)
  }
}
