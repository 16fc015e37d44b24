import ControlWire
import EngineCore
import MediaBase
import Testing

@Suite struct PublishingTests {
  @Test func `publishing from the start asks for a key frame when the media path opens`() {
    let bench = CoreBench()
    bench.join()
    #expect(!transcript(bench.events).contains("key frame needed"))
    bench.run(for: .milliseconds(200))
    #expect(transcript(bench.events).contains("key frame needed"))
    #expect(bench.isSendingVideo)
  }

  @Test func `nothing is sent before a key frame`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.publish(keyFrame: false)
    bench.publish(keyFrame: true)
    bench.publish(keyFrame: false)
    bench.run(for: .milliseconds(50))
    #expect(bench.receivedByServer.map(\.isKeyFrame) == [true, false])
  }

  @Test func `of another source nothing is sent before a key frame, which is asked for`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.publish(keyFrame: true)
    bench.publish(keyFrame: false)
    let asked = transcript(bench.events).count { $0 == "key frame needed" }
    bench.act { core, _ in core.changeVideoSource() }
    #expect(transcript(bench.events).count { $0 == "key frame needed" } == asked + 1)
    bench.publish(keyFrame: false)
    bench.publish(keyFrame: true)
    bench.publish(keyFrame: false)
    bench.run(for: .milliseconds(50))
    #expect(bench.receivedByServer.map(\.isKeyFrame) == [true, false, true, false])
    // It is the same video still.
    #expect(transcript(bench.events).count { $0 == "video published" } == 1)
  }

  @Test func `of another source of the smaller stream nothing is sent before its key frame, and the other goes on`() {
    let bench = CoreBench(hasLowVideo: true)
    bench.joinWithMedia()
    bench.publish(keyFrame: true)
    func publishLow(keyFrame: Bool) {
      bench.act { $0.sendLowVideo(CoreBench.picture(keyFrame: keyFrame, time: $1), now: $1) }
      bench.run(for: .milliseconds(1))
    }
    publishLow(keyFrame: true)
    publishLow(keyFrame: false)
    bench.run(for: .milliseconds(50))
    #expect(bench.receivedByServer.map(\.isKeyFrame) == [true, true, false])
    let asked = transcript(bench.events).count { $0 == "key frame needed" }
    bench.act { core, _ in core.changeLowVideoSource() }
    #expect(transcript(bench.events).last == "low key frame needed")
    publishLow(keyFrame: false)
    bench.publish(keyFrame: false)
    bench.run(for: .milliseconds(50))
    #expect(bench.receivedByServer.map(\.isKeyFrame) == [true, true, false, false])
    publishLow(keyFrame: true)
    publishLow(keyFrame: false)
    bench.run(for: .milliseconds(50))
    #expect(bench.receivedByServer.map(\.isKeyFrame) == [true, true, false, false, true, false])
    #expect(transcript(bench.events).count { $0 == "key frame needed" } == asked)
  }

  @Test func `the first frame of each publishing period is reported once`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    for _ in 0..<3 { bench.publish(keyFrame: true) }
    bench.publishAudio()
    #expect(transcript(bench.events).suffix(2) == ["video published", "audio published"])
    bench.act { $0.update(publish: TrackFlags(audio: true, video: false), now: $1) }
    bench.confirmUpdates()
    bench.publish(keyFrame: true)
    #expect(transcript(bench.events).count { $0 == "video published" } == 1)
    bench.act { $0.update(publish: TrackFlags(audio: true, video: true), now: $1) }
    bench.confirmUpdates()
    bench.publish(keyFrame: true)
    #expect(transcript(bench.events).count { $0 == "video published" } == 2)
    #expect(transcript(bench.events).count { $0 == "audio published" } == 1)
  }

  @Test func `unpublishing acts at once, publishing when the server has confirmed it`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.act { $0.update(publish: TrackFlags.none, now: $1) }
    #expect(!bench.isSendingVideo)
    bench.act { $0.update(publish: TrackFlags(audio: true, video: true), now: $1) }
    #expect(!bench.isSendingVideo)
    bench.respond(.updated(UpdatedResponse(requestID: 1)))
    #expect(!bench.isSendingVideo)
    bench.respond(.updated(UpdatedResponse(requestID: 2)))
    #expect(bench.isSendingVideo)
  }

  @Test func `demotion stops publishing, promotion resumes it`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.act { $0.update(role: .audience, now: $1) }
    #expect(!bench.isSendingAudio)
    bench.confirmUpdates()
    bench.act { $0.update(role: .broadcaster, now: $1) }
    bench.confirmUpdates()
    #expect(bench.isSendingAudio)
    #expect(transcript(bench.events).filter { $0.hasPrefix("role") } == ["role 1 to 2", "role 2 to 1"])
  }

  @Test func `a receiver's request for a key frame reaches the encoder`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.publish(keyFrame: true)
    bench.run(for: .milliseconds(50))
    let before = transcript(bench.events).count { $0 == "key frame needed" }
    bench.requestKeyFrameFromServer()
    bench.run(for: .milliseconds(50))
    #expect(transcript(bench.events).count { $0 == "key frame needed" } == before + 1)
  }

  @Test func `an audience sends nothing`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia()
    bench.publish(keyFrame: true)
    bench.publishAudio()
    bench.run(for: .milliseconds(50))
    #expect(bench.receivedByServer.isEmpty)
    #expect(bench.audioReceivedByServer == 0)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `what is published arrives complete through a lossy link`(seed: UInt64) {
    let bench = CoreBench(seed: seed)
    bench.lossPercent = 10
    bench.join()
    bench.run(for: .milliseconds(2_000))
    for index in 0..<100 {
      bench.publish(keyFrame: index % 30 == 0 || bench.takesKeyFrameRequest())
      bench.run(for: .milliseconds(33))
    }
    bench.run(for: .milliseconds(500))
    #expect(bench.receivedByServer.count > 80)
  }
}
