import ControlWire
import EngineCore
import MediaBase
import Testing

@Suite struct RemoteMediaTests {
  @Test func `a publishing user goes from starting to decoding with reason remoteUnmuted`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false)])
    bench.stream(from: 1, frames: 5)
    let video = transcript(bench.events).filter { $0.contains("video 1") }
    #expect(video == ["video 1 1,0", "video 1 2,6", "first video 1"])
    #expect(bench.frames(of: 1).count == 5)
    #expect(bench.frames(of: 1).first?.isKeyFrame == true)
  }

  @Test func `subscribing asks for a key frame at once`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia()
    bench.respond(.userJoined(CoreBench.user(1, audio: false)))
    bench.run(for: .milliseconds(20))
    #expect(bench.keyFrameRequests.contains(CoreBench.ssrcs(1).video))
  }

  @Test func `users who were there before the media path opened are asked for a key frame when it opens`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false)])
    #expect(bench.keyFrameRequests.contains(CoreBench.ssrcs(1).video))
  }

  @Test func `unsubscribing stops with localMuted, subscribing again decodes with localUnmuted`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false)])
    bench.stream(from: 1, frames: 3)
    bench.act {
      $0.update(subscribe: Subscription(everyone: TrackFlags(audio: true, video: false)), now: $1)
    }
    bench.confirmUpdates()
    bench.stream(from: 1, frames: 3)
    #expect(transcript(bench.events).last == "video 1 0,3")
    bench.act { $0.update(subscribe: Subscription(everyone: TrackFlags(audio: true, video: true)), now: $1) }
    bench.confirmUpdates()
    bench.stream(from: 1, frames: 3)
    #expect(transcript(bench.events).suffix(2) == ["video 1 1,0", "video 1 2,4"])
  }

  @Test func `a video that the server pauses stops with audioFallback, and decodes again with its recovery`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false)])
    bench.stream(from: 1, frames: 3)
    let begin = bench.events.count
    func heard() -> [String] { transcript(Array(bench.events[begin...])) }
    for _ in 0..<2 { bench.respond(.videoPaused(VideoPausedResponse(uid: 1, isPaused: true))) }
    // What was still under way is no return, and is shown.
    bench.stream(from: 1, frames: 2)
    #expect(bench.frames(of: 1).count == 5)
    #expect(heard() == ["video 1 paused", "video 1 0,8"])
    bench.respond(.videoPaused(VideoPausedResponse(uid: 1, isPaused: false)))
    bench.respond(.videoPaused(VideoPausedResponse(uid: 9, isPaused: true)))
    bench.stream(from: 1, frames: 3)
    #expect(heard() == ["video 1 paused", "video 1 0,8", "video 1 resumed", "video 1 2,9"])
  }

  @Test func `an exception for one user outweighs the rule for everybody`() {
    let bench = CoreBench(
      role: .audience,
      subscribe: Subscription(everyone: .none, users: ["2": TrackFlags(audio: false, video: true)]))
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false), CoreBench.user(2, audio: false)])
    bench.stream(from: 1, frames: 3)
    bench.stream(from: 2, frames: 3)
    #expect(bench.frames(of: 1).isEmpty)
    #expect(bench.frames(of: 2).count == 3)
  }

  @Test func `a user who unpublishes stops with remoteMuted and comes back with remoteUnmuted`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false)])
    bench.stream(from: 1, frames: 3)
    bench.respond(.userUpdated(UserUpdatedResponse(uid: 1, published: .none)))
    #expect(transcript(bench.events).last == "video 1 0,5")
    bench.respond(.userUpdated(UserUpdatedResponse(uid: 1, published: TrackFlags(audio: false, video: true))))
    bench.stream(from: 1, frames: 3)
    #expect(transcript(bench.events).suffix(2) == ["video 1 1,0", "video 1 2,6"])
  }

  @Test(arguments: [UserOfflineReason.quit, .dropped, .becameAudience])
  func `a user who leaves stops with remoteOffline and goes offline`(reason: UserOfflineReason) {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1)])
    bench.stream(from: 1, frames: 3)
    bench.speak(from: 1, packets: 3)
    bench.respond(.userLeft(UserLeftResponse(uid: 1, reason: reason)))
    #expect(
      transcript(bench.events).suffix(3) == ["video 1 0,7", "audio 1 0,7", "user 1 offline \(reason.rawValue)"])
  }

  @Test func `audio has the same states, and its first packet is reported`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1, video: false)])
    bench.speak(from: 1, packets: 5)
    #expect(
      transcript(bench.events).filter { $0.contains("audio 1") } == ["audio 1 1,0", "audio 1 2,6", "first audio 1"])
  }

  @Test func `a stream that pauses is frozen, then recovers`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false)])
    bench.stream(from: 1, frames: 10)
    bench.run(for: .milliseconds(700))
    #expect(transcript(bench.events).last == "video 1 3,1")
    bench.stream(from: 1, frames: 2)
    #expect(transcript(bench.events).last == "video 1 2,2")
    let totals = bench.core.currentStatistics(now: bench.now)
    #expect(totals.remoteStreams.first?.freezeCount == 1)
    #expect(totals.remoteStreams.first?.videoFrames == 12)
  }

  @Test func `media goes on after a rejoin without new users or states`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia(users: [CoreBench.user(1, audio: false)])
    bench.stream(from: 1, frames: 3)
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    bench.run(for: .milliseconds(300))
    bench.act { $0.controlOpened(now: $1) }
    bench.answerJoin(users: [CoreBench.user(1, audio: false)])
    bench.run(for: .milliseconds(100))
    let before = bench.frames(of: 1).count
    bench.stream(from: 1, frames: 3)
    #expect(bench.frames(of: 1).count == before + 3)
    #expect(transcript(bench.events).count { $0 == "user 1 joined" } == 1)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `with a fifth of all datagrams lost, video and audio still come`(seed: UInt64) {
    let bench = CoreBench(role: .audience, seed: seed)
    bench.lossPercent = 20
    bench.join(users: [CoreBench.user(1)])
    bench.run(for: .milliseconds(2_000))
    bench.stream(from: 1, frames: 150, keyFramesOnRequest: true)
    bench.speak(from: 1, packets: 50)
    bench.run(for: .milliseconds(500))
    #expect(bench.frames(of: 1).count > 75)
    let timestamps = bench.frames(of: 1).map(\.timestamp)
    #expect(timestamps == timestamps.sorted())
    #expect(transcript(bench.events).contains("video 1 2,6"))
    #expect(transcript(bench.events).contains("first audio 1"))
  }
}
