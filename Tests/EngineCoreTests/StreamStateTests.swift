import ControlWire
import EngineCore
import MediaBase
import Testing

@Suite struct StreamStateTests {
  @Test func `publishing goes from idle over publishing to published with the first frame sent`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    #expect(streamStates(bench.events) == ["publish audio 0>2", "publish video 0>2"])
    bench.publish(keyFrame: true)
    bench.publishAudio()
    #expect(streamStates(bench.events).suffix(2) == ["publish video 2>3", "publish audio 2>3"])
  }

  @Test func `muting is noPublished at once, unmuting publishing and then published again`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.publish(keyFrame: true)
    bench.act { $0.update(publish: TrackFlags(audio: true, video: false), now: $1) }
    #expect(streamStates(bench.events).last == "publish video 3>1")
    bench.confirmUpdates()
    bench.act { $0.update(publish: TrackFlags(audio: true, video: true), now: $1) }
    #expect(streamStates(bench.events).last == "publish video 1>2")
    bench.confirmUpdates()
    bench.publish(keyFrame: true)
    #expect(streamStates(bench.events).last == "publish video 2>3")
  }

  @Test func `an audience is noPublished whatever its flags, and publishes when promoted`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia()
    #expect(streamStates(bench.events) == ["publish audio 0>1", "publish video 0>1"])
    bench.act { $0.update(role: .broadcaster, now: $1) }
    #expect(streamStates(bench.events).suffix(2) == ["publish audio 1>2", "publish video 1>2"])
  }

  @Test func `leaving takes publishing and subscriptions back to idle before it is reported`() {
    let bench = CoreBench()
    bench.joinWithMedia(users: [CoreBench.user(1)])
    bench.act { $0.leave(now: $1) }
    let left = bench.events.firstIndex { if case .left = $0 { true } else { false } }
    let states = streamStates(Array(bench.events[..<(left ?? 0)]))
    #expect(
      Set(states.suffix(4)) == [
        "subscribe 1 audio 2>0", "subscribe 1 video 2>0", "publish audio 2>0", "publish video 2>0",
      ])
  }

  @Test func `a user's track is subscribing when wanted and published, subscribed with its first frame`() {
    let bench = CoreBench()
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false)])
    #expect(streamStates(bench.events).contains("subscribe 1 audio 0>1"))
    #expect(streamStates(bench.events).contains("subscribe 1 video 0>2"))
    bench.stream(from: 1, frames: 2)
    #expect(streamStates(bench.events).last == "subscribe 1 video 2>3")
    bench.act {
      $0.update(subscribe: Subscription(everyone: TrackFlags(audio: true, video: false)), now: $1)
    }
    #expect(streamStates(bench.events).last == "subscribe 1 video 3>1")
  }

  @Test func `a user who leaves is idle`() {
    let bench = CoreBench()
    bench.joinWithMedia(users: [CoreBench.user(1)])
    bench.respond(.userLeft(UserLeftResponse(uid: 1, reason: .quit)))
    #expect(streamStates(bench.events).suffix(2) == ["subscribe 1 audio 1>0", "subscribe 1 video 1>0"])
  }

  @Test func `statistics are due every two seconds in the channel, and never after leaving`() {
    let bench = CoreBench()
    bench.run(for: .seconds(3))
    func count() -> Int { bench.events.count { if case .statisticsDue = $0 { true } else { false } } }
    #expect(count() == 0)
    bench.joinWithMedia()
    bench.run(for: .milliseconds(9_900))
    #expect(count() == 5)
    bench.act { $0.leave(now: $1) }
    bench.run(for: .seconds(5))
    #expect(count() == 5)
  }

  @Test func `what others have set is reported when it changes, and assumed of who does not say it`() {
    let bench = CoreBench()
    bench.joinWithMedia(users: [CoreBench.user(1, video: false)])
    #expect(transcript(bench.events).contains("user 1 media 272>274"))
    bench.respond(.userUpdated(UserUpdatedResponse(uid: 1, published: TrackFlags(audio: true, video: true))))
    #expect(transcript(bench.events).contains("user 1 media 274>272"))
    bench.respond(
      .userUpdated(
        UserUpdatedResponse(
          uid: 1, published: TrackFlags(audio: true, video: false), mediaState: [.enableVideo])))
    #expect(transcript(bench.events).contains("user 1 media 272>16"))
  }

  @Test func `a refused role is reported with its reason and taken back`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia()
    bench.act { $0.update(role: .broadcaster, now: $1) }
    bench.respond(.error(ErrorResponse(code: .invalidToken, message: "", requestID: 1)))
    #expect(transcript(bench.events).contains("role failed 2, still 2"))
    #expect(streamStates(bench.events).last == "publish video 2>1")
  }
}
