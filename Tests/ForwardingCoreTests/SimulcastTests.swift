import ForwardingCore
import MediaBase
import RTPWire
import Testing

@Suite struct SimulcastTests {
  @Test func theLargestIsForwardedAndNoOther() {
    let bench = SimulcastRoom()
    let viewer = bench.watch()
    bench.run(milliseconds: 1_000)
    let pictures = VideoCheck(viewer).pictures()
    #expect(pictures.count > 25)
    // The smallest ones may come first.
    #expect(Set(pictures.suffix(25).map(\.layer)) == [2])
    #expect(bench.layer() == 2)
  }

  @Test func changingTheTargetChangesThePictureAtItsNextKeyFrame() {
    let bench = SimulcastRoom()
    let viewer = bench.watch()
    bench.run(milliseconds: 500)
    bench.answersKeyFrameRequests = false
    bench.publisher.keyFrameRequests = []
    bench.setTarget(LayerTarget(spatial: 0))
    bench.run(milliseconds: 5)
    // Asked for at once, on the SSRC of the smallest one; the large one goes on until it comes.
    #expect(bench.layer() == 2)
    bench.run(milliseconds: 300)
    #expect(bench.layer() == 2)
    bench.answersKeyFrameRequests = true
    bench.run(milliseconds: 800)
    #expect(bench.layer() == 0)
    bench.setTarget(LayerTarget(spatial: 1))
    bench.run(milliseconds: 500)
    #expect(bench.layer() == 1)
    bench.setTarget(.best)
    bench.run(milliseconds: 500)
    let layers = VideoCheck(viewer).pictures().map(\.layer)
    #expect(layers.last == 2)
    #expect(zip(layers, layers.dropFirst()).count { $0 != $1 } <= 5)
  }

  @Test func keyFramesAreAskedOfTheEncodingThatIsWanted() {
    let bench = SimulcastRoom()
    _ = bench.watch()
    bench.run(milliseconds: 300)
    bench.answersKeyFrameRequests = false
    var asked: Set<UInt32> = []
    bench.setTarget(LayerTarget(spatial: 0))
    // `answerRequests` empties the list, so it is looked at from outside.
    bench.room.run(milliseconds: 3)
    asked.formUnion(bench.publisher.keyFrameRequests)
    #expect(asked == [2_000])
  }

  @Test func packetsOfStreamsThatOnlyTheirRIDNamesAreRoutedFromTheFirstOn() {
    for twoByte in [false, true] {
      let bench = SimulcastRoom(announcesSSRCs: false)
      for position in bench.encoders.indices {
        let name = SimulcastRoom.names[position]
        bench.encoders[position].elements = element(9, "1", twoByte: twoByte) + element(10, name, twoByte: twoByte)
        bench.encoders[position].rtxElements = element(9, "1", twoByte: twoByte) + element(11, name, twoByte: twoByte)
        bench.encoders[position].usesTwoByteForm = twoByte
      }
      bench.uplinkLoss = 0.05
      let viewer = bench.watch()
      bench.room.run(milliseconds: 10)
      bench.answersKeyFrameRequests = false
      bench.run(milliseconds: 2_000)
      bench.uplinkLoss = 0
      bench.run(milliseconds: 200)
      // The only key frame asked for is the very first picture.
      let pictures = VideoCheck(viewer).pictures()
      #expect(pictures.first { $0.layer == 2 }?.number == 1)
      #expect(pictures.count > 55)
      #expect(bench.room.core.statistics.recoveredPackets > 0)
      #expect(bench.room.core.statistics.droppedInvalid == 0)
    }
  }

  @Test func aPublisherMaySendFewerEncodingsThanItNegotiated() {
    for missing in 0..<3 {
      let bench = SimulcastRoom()
      bench.stopped = [missing]
      let best = bench.watch(2, .best)
      let least = bench.watch(3, .smallest)
      bench.run(milliseconds: 1_000)
      let upper = VideoCheck(best).pictures()
      let lower = VideoCheck(least).pictures()
      #expect(upper.count > 25 && lower.count > 25)
      #expect(upper.last?.layer == (missing == 2 ? 1 : 2))
      #expect(lower.last?.layer == (missing == 0 ? 1 : 0))
      #expect(Set(lower.map(\.layer)).count == 1)
    }
  }

  @Test func anEncodingThatDriesUpIsReplacedAndTakenAgainWhenItComesBack() {
    let bench = SimulcastRoom()
    let viewer = bench.watch()
    bench.run(milliseconds: 500)
    bench.stopped = [2]
    bench.run(milliseconds: 1_200)
    #expect(bench.layer() == 1)
    bench.stopped = [1, 2]
    bench.run(milliseconds: 1_200)
    #expect(bench.layer() == 0)
    bench.stopped = []
    bench.run(milliseconds: 500)
    #expect(bench.layer() == 2)
    let pictures = VideoCheck(viewer).pictures()
    #expect(Set(pictures.map(\.layer)) == [0, 1, 2])
  }

  /// Pictures that come in step with the timers, and feedback on them, do not put off what else is to be done.
  @Test(arguments: 0..<20)
  func anEncodingThatEndsSoonAfterItBeganIsReplacedHoweverSteadilyTheOtherComes(phase: Int) {
    let bench = SimulcastRoom(layers: 2) { $0.format.wantsTransportFeedback = true }
    bench.numbersPackets = true
    bench.pictureInterval = 25
    bench.stopped = [0]
    bench.nextPicture = bench.room.now + .milliseconds(Int64(5 * phase))
    _ = bench.watch(2, .smallest)
    bench.run(milliseconds: 900)
    #expect(bench.layer() == 1)
    bench.publisher.reports = []
    bench.stopped = []
    bench.run(milliseconds: 150)
    #expect(bench.layer() == 0)
    bench.stopped = [0]
    bench.run(milliseconds: 1_200)
    #expect(bench.layer() == 1)
    bench.run(milliseconds: 5_000)
    #expect(!bench.publisher.reports.isEmpty)
  }

  @Test func timestampsOfAllEncodingsAreAlignedByTheirReports() throws {
    let bench = SimulcastRoom()
    bench.sendsReports = true
    let viewer = bench.watch()
    bench.run(milliseconds: 1_000)
    for target: UInt8 in [0, 1, 2, 0] {
      bench.setTarget(LayerTarget(spatial: target))
      bench.run(milliseconds: 500)
    }
    let check = VideoCheck(viewer)
    #expect(check.pictures().count > 80)
    // From the first change on, every picture is where the publisher's clock puts it.
    let timestamps = check.order.compactMap { check.packets[$0]?.header }.filter(\.marker).map(\.timestamp)
    let steps = zip(timestamps, timestamps.dropFirst()).map { Int32(bitPattern: $1 &- $0) }
    #expect(steps.dropFirst(5).allSatisfy { (2_600...3_400).contains($0) || $0 == 90 || (5_700...6_100).contains($0) })
    let total = steps.dropFirst(5).reduce(0) { $0 + Int64($1) }
    let expected = Int64(steps.dropFirst(5).count { $0 != 90 }) * 2_970
    #expect(abs(total - expected) < 9_000)
  }

  @Test func whatWasSentBeforeAChangeIsSentAgainAsItWas() {
    let bench = SimulcastRoom(temporalLayers: 3)
    let viewer = bench.watch()
    for target in [LayerTarget.best, .smallest, LayerTarget(spatial: 1, temporal: 0), .best] {
      bench.setTarget(target)
      bench.run(milliseconds: 300)
    }
    let sent = viewer.seen(video)
    #expect(Set(VideoCheck(viewer).pictures().map(\.layer)) == [0, 1, 2])
    for start in stride(from: 0, to: sent.count, by: 50) {
      viewer.sendNACK(video, sent[start..<min(start + 50, sent.count)].map(\.header.sequenceNumber))
      bench.room.turn()
    }
    let again = viewer.seen(videoRTX)
    #expect(again.count == sent.count)
    for (old, new) in zip(sent, again) {
      #expect(Array(new.payload.dropFirst(2)) == old.payload)
      #expect(new.header.timestamp == old.header.timestamp)
    }
  }

  @Test func pictureIDsOf7BitsAreWidened() {
    let bench = SimulcastRoom(temporalLayers: 2)
    bench.encoders[0].hasShortPictureIDs = true
    bench.encoders[2].hasShortPictureIDs = true
    let viewer = bench.watch()
    bench.run(milliseconds: 300)
    for round in 0..<8 {
      bench.setTarget(LayerTarget(spatial: UInt8(round % 3)))
      bench.run(milliseconds: 1_500)
    }
    let pictures = VideoCheck(viewer).pictures()
    #expect(pictures.count > 350)
    // Also payloads that are too short or too long for it.
    for payload in [[0x90, 0x80, 0x05], [0x90, 0x80], [0x90, 0xC0, 0x05]] as [[UInt8]]
      + [[0x90, 0x80, 0x05] + [UInt8](repeating: 1, count: 1_397)]
    {
      let header = RTPHeader(
        payloadType: 96, sequenceNumber: bench.encoders[1].sequenceNumber, timestamp: 0, ssrc: bench.encoders[1].ssrc)
      bench.encoders[1].sequenceNumber &+= 1
      bench.publisher.outgoing.append(bench.publisher.sealed(header, payload: payload))
    }
    let before = viewer.seen(video).count
    bench.room.turn()
    #expect(viewer.seen(video).count == before + 4)
    #expect(viewer.seen(video).last?.payload.count == 1_401)
  }

  @Test func theOrderIsThatOfPictureSizesWhateverTheOffer() {
    let bench = SimulcastRoom { $0.layers.reverse() }
    _ = bench.watch(2, .smallest)
    _ = bench.watch(3, .best)
    bench.run(milliseconds: 500)
    _ = bench.watch(4, LayerTarget(spatial: 1))
    bench.run(milliseconds: 500)
    let layers = bench.room.core.videoLayers(subscriber: 2, publisher: 1, now: bench.room.now)
    #expect(layers.map(\.width) == [320, 640, 1_280])
    #expect([2, 3, 4].map { bench.viewers[$0].flatMap { VideoCheck($0).pictures().last?.layer } } == [0, 2, 1])
  }

  @Test func whatEachLayerCostsIsMeasured() {
    let bench = SimulcastRoom(temporalLayers: 3)
    for position in 0..<3 { bench.encoders[position].packetCount = 1 << position }
    bench.stopped = [1]
    _ = bench.watch()
    bench.run(milliseconds: 3_000)
    let layers = bench.room.core.videoLayers(subscriber: 2, publisher: 1, now: bench.room.now)
    #expect(layers.map(\.isLive) == [true, false, true])
    #expect(layers.map(\.highestTemporalID) == [2, 0, 2])
    // About 22 bytes and 36 for headers, 30 times a second; a quarter of the pictures is of the base layer.
    #expect((12_000...16_000).contains(layers[0].bitrate(temporalLimit: 9)))
    #expect((48_000...64_000).contains(layers[2].bitrate(temporalLimit: 2)))
    let base = Double(layers[2].bitrate(temporalLimit: 0)) / Double(layers[2].bitrate(temporalLimit: 2))
    #expect((0.2...0.3).contains(base))
    #expect(layers[1].bitrate(temporalLimit: 3) == 0)
  }

  @Test func anotherSSRCUnderTheSameRIDGoesOn() {
    let bench = SimulcastRoom(announcesSSRCs: false)
    for position in bench.encoders.indices {
      bench.encoders[position].elements = element(10, SimulcastRoom.names[position])
    }
    let viewer = bench.watch()
    bench.run(milliseconds: 500)
    for position in bench.encoders.indices {
      bench.encoders[position].ssrc += 500
      bench.encoders[position].sequenceNumber &-= 20_000
    }
    bench.run(milliseconds: 1_000)
    let pictures = VideoCheck(viewer).pictures()
    #expect(pictures.count > 35)
    #expect(pictures.last?.layer == 2)
  }

  /// livekit issue 2674: a report whose timestamp jumps, goes back or is 0 is not believed; two that agree are.
  @Test func reportsOfClocksThatJumpAreNotBelievedAtOnce() {
    let bench = SimulcastRoom()
    bench.sendsReports = true
    let viewer = bench.watch()
    /// How far the last report is off, in milliseconds, about the time of the last picture, which is about `wall`.
    func latestError(_ wall: Int64) -> Int64? {
      guard let report = viewer.reports.last(where: { $0.ssrc == video }), let sender = report.sender,
        let picture = viewer.seen(video).last
      else { return nil }
      let ticks = Int64(Int32(bitPattern: picture.header.timestamp &- sender.rtpTimestamp))
      let reported = (Int64(sender.ntpTimestamp >> 16) * 1_000) >> 16
      return reported + ticks / 90 - wall
    }
    var now: Int64 { bench.room.now.nanoseconds / 1_000_000 }
    func inject(ntp: UInt64, rtp: UInt32) {
      let sender = RTCPReport.SenderInfo(ntpTimestamp: ntp, rtpTimestamp: rtp, packetCount: 0, octetCount: 0)
      let ssrc = bench.encoders[2].ssrc
      bench.publisher.sendRTCP { _ = RTCPReport(ssrc: ssrc, sender: sender).write(into: &$0) }
    }
    bench.run(milliseconds: 1_600)
    #expect(latestError(now).map { abs($0) < 60 } ?? false)
    bench.sendsReports = false
    for (ntp, rtp) in [(0, 0), (1 << 50, 0), (UInt64(bench.room.now.nanoseconds) << 20, 0x9000_0000)]
      as [(UInt64, UInt32)]
    {
      inject(ntp: ntp, rtp: bench.encoders[2].timestampBase &+ rtp)
      viewer.reports = []
      bench.run(milliseconds: 1_300)
      #expect(latestError(now).map { abs($0) < 60 } ?? false)
    }
    // The wall clock is set to another time.
    let shift: Int64 = 500_000_000
    for _ in 0..<2 {
      let microseconds = bench.room.now.nanoseconds / 1_000
      inject(
        ntp: UInt64(microseconds + shift) << 32 / 1_000_000,
        rtp: bench.encoders[2].timestampBase &+ UInt32(truncatingIfNeeded: microseconds * 9 / 100))
      viewer.reports = []
      bench.run(milliseconds: 1_300)
    }
    #expect(latestError(now + shift / 1_000).map { abs($0) < 60 } ?? false)
  }
}
