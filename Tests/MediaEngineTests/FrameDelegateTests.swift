import MediaBase
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

@testable import MediaEngine

extension EngineTests {
  /// Delegates that see and change pictures and sound inside the engine.
  @Suite struct FrameDelegateTests {
    /// Joins both: the host sends, the viewer receives.
    private func join(_ host: RTCEngine, _ viewer: RTCEngine) {
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
    }

    @Test func `what is written into a captured picture is in the preview, and others get it`() async throws {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil, audio: false), stage.engine(nil, video: false, audio: false))
      let painter = PicturePainter([.postCapture], .readWrite)
      let (local, remote) = (DarkCounter(), DarkCounter())
      host.setVideoFrameDelegate(painter)
      host.setupLocalVideo(VideoCanvas(target: .closure(local.look)))
      viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .closure(remote.look)))
      join(host, viewer)
      #expect(await eventually { local.dark > 5 && remote.dark > 5 })
      #expect(local.bright == 0 && remote.bright == 0)
      painter.drops.store(true, ordering: .relaxed)
      let captured = painter.seen
      #expect(await eventually { painter.seen > captured + 10 })
      let shown = local.dark
      #expect(await eventually { painter.seen > captured + 20 })
      #expect(local.dark == shown)
      // Without the delegate pictures are as they were.
      host.setVideoFrameDelegate(nil)
      #expect(await eventually { local.bright > 5 && remote.bright > 5 })
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `what is changed before encoding is seen by others and not in the preview; what is dropped is not sent`()
      async throws
    {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil, audio: false), stage.engine(nil, video: false, audio: false))
      let painter = PicturePainter([.preEncode], .readWrite)
      let (local, remote) = (DarkCounter(), DarkCounter())
      host.setVideoFrameDelegate(painter)
      host.setupLocalVideo(VideoCanvas(target: .closure(local.look)))
      viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .closure(remote.look)))
      join(host, viewer)
      #expect(await eventually { remote.dark > 5 && local.bright > 5 })
      #expect(remote.bright == 0 && local.dark == 0)
      painter.drops.store(true, ordering: .relaxed)
      let seen = painter.seen
      #expect(await eventually { painter.seen > seen + 2 })
      let (sent, shown) = (try #require(host.statistics()).local.encodedFrames, local.bright)
      #expect(await eventually { painter.seen > seen + 20 && local.bright > shown + 5 })
      #expect(try #require(host.statistics()).local.encodedFrames == sent)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `what is changed before rendering is what canvas and observer get; what is dropped they do not get`()
      async throws
    {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil, audio: false), stage.engine(nil, video: false, audio: false))
      let painter = PicturePainter([.preRender], .readWrite)
      let (canvas, observed) = (DarkCounter(), DarkCounter())
      viewer.setVideoFrameDelegate(painter)
      viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .closure(canvas.look)))
      viewer.setRemoteVideoFrameObserver { observed.look($0.frame) }
      join(host, viewer)
      #expect(await eventually { canvas.dark > 5 && observed.dark > 5 })
      #expect(canvas.bright == 0 && observed.bright == 0 && painter.uids == [1])
      painter.drops.store(true, ordering: .relaxed)
      let seen = painter.seen
      #expect(await eventually { painter.seen > seen + 2 })
      let shown = (canvas.dark, observed.dark)
      #expect(await eventually { painter.seen > seen + 20 })
      #expect((canvas.dark, observed.dark) == shown)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `a delegate that only looks changes nothing, is asked at its positions only, and is not kept alive`()
      async throws
    {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil, audio: false), stage.engine(nil, video: false, audio: false))
      var looker: PicturePainter? = PicturePainter([.postCapture, .preEncode], .readOnly)
      looker?.drops.store(true, ordering: .relaxed)
      let remote = DarkCounter()
      host.setVideoFrameDelegate(looker)
      viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .closure(remote.look)))
      join(host, viewer)
      #expect(await eventually { remote.bright > 10 })
      let positions = looker?.positions
      #expect(positions == [.postCapture, .preEncode] && remote.dark == 0)
      weak let left = looker
      looker = nil
      #expect(await eventually { left == nil })
      let shown = remote.bright
      #expect(await eventually { remote.bright > shown + 5 })
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `sound is changed where it is recorded, before mixing and before it is played`() async throws {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil, video: false), stage.engine(nil, video: false, audio: false))
      let (sender, listener) = (SoundChanger(), SoundChanger())
      let heard = Mutex<[ObservedAudioFrame.Position: Int]>([:])
      viewer.setAudioFrameObserver { sound in heard.withLock { $0[sound.position] = sound.level } }
      @Sendable func level(_ position: ObservedAudioFrame.Position) -> Int { heard.withLock { $0[position] ?? -1 } }
      let voice = ObservedAudioFrame.Position.beforeMixing(
        connection: RTCConnection(channelID: "show", localUID: 2), uid: 1)
      host.setAudioFrameDelegate(sender)
      viewer.setAudioFrameDelegate(listener)
      join(host, viewer)
      // Speech has pauses: a loud square wave has none.
      sender.changes.withLock { $0[.record] = .square }
      #expect(await eventually { level(voice) > 190 && level(.playback) > 190 })
      listener.changes.withLock { $0[.playback] = .silence }
      #expect(await eventually { level(voice) > 190 && level(.playback) == 0 })
      listener.changes.withLock { $0 = [.beforeMixing: .silence] }
      #expect(await eventually { level(voice) == 0 && level(.playback) == 0 })
      listener.changes.withLock { $0 = [.beforeMixing: .wrongLength] }
      #expect(await eventually { level(voice) > 190 && level(.playback) > 190 })
      sender.changes.withLock { $0[.record] = .silence }
      #expect(await eventually { level(voice) == 0 })
      #expect(listener.count(.record) == 0 && sender.count(.playback) == 0)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `a delegate that only listens changes no sound, and hears both sides mixed`() async throws {
      let stage = try Stage()
      let (first, second) = (stage.engine(nil, video: false), stage.engine(nil, video: false))
      let (square, listener) = (SoundChanger(), SoundChanger(.readOnly))
      square.changes.withLock { $0[.record] = .square }
      // What it would make silent if it might.
      listener.changes.withLock { $0 = [.record: .silence, .playback: .silence, .beforeMixing: .silence] }
      let far = Mutex(0)
      second.setAudioFrameDelegate(square)
      first.setAudioFrameDelegate(listener)
      second.setAudioFrameObserver { sound in
        if case .beforeMixing = sound.position { far.withLock { $0 = max($0, sound.level) } }
      }
      for (engine, uid) in [(first, UInt(1)), (second, 2)] {
        engine.joinChannel(token: nil, channelID: "show", uid: uid, options: Stage.broadcaster)
      }
      #expect(
        await eventually {
          [.record, .playback, .beforeMixing, .mixed].allSatisfy { listener.count($0) > 20 }
            && listener.loudest(.mixed) > 3_000
        })
      #expect(listener.loudest(.playback) > 3_000)
      #expect(await eventually { far.withLock { $0 } > 100 })
      for engine in [first, second] { engine.destroy() }
    }
  }

  /// Sound of two threads added up.
  @Suite struct SoundMixtureTests {
    private func frame(_ value: Int16, channelCount: Int = 2) -> AudioFrame {
      AudioFrame(
        samples: Array(repeating: value, count: 480 * channelCount), channelCount: channelCount, captureTime: .zero)
    }

    @Test func `frames of both sides are added up in their order, however they come`() {
      var mixture = SoundMixture()
      var values: [Int16] = []
      func note(_ frame: AudioFrame?) {
        guard let frame else { return }
        #expect(frame.channelCount == 2 && frame.samples.count == 960)
        values.append(frame.samples[959])
      }
      note(mixture.add(sent: frame(1, channelCount: 1)))
      note(mixture.add(sent: frame(2, channelCount: 1)))
      #expect(values.isEmpty)
      note(mixture.add(played: frame(10)))
      note(mixture.add(played: frame(20)))
      note(mixture.add(played: frame(30_000)))
      note(mixture.add(sent: frame(30_000)))
      #expect(values == [11, 22, .max])
    }

    @Test func `a side that does not come is not waited for`() {
      var mixture = SoundMixture()
      var count = 0
      for value in 0..<100 where mixture.add(played: frame(Int16(value))) != nil { count += 1 }
      #expect(count == 100 - SoundMixture.longestWait)
      var other = SoundMixture()
      var last: AudioFrame?
      for value in 0..<100 { last = other.add(sent: frame(Int16(value))) ?? last }
      #expect(last?.samples.first == Int16(99 - SoundMixture.longestWait))
    }
  }
}

/// Paints pictures black, or drops them, and keeps what it was asked.
private final class PicturePainter: RTCVideoFrameDelegate {
  let observedFramePositions: VideoFramePosition
  let videoFrameProcessMode: FrameProcessMode
  let drops = Atomic(false)
  private let state = Mutex<(seen: Int, positions: VideoFramePosition, uids: Set<UInt>)>((0, [], []))

  init(_ positions: VideoFramePosition, _ mode: FrameProcessMode) {
    observedFramePositions = positions
    videoFrameProcessMode = mode
  }

  var seen: Int { state.withLock { $0.seen } }
  var positions: VideoFramePosition { state.withLock { $0.positions } }
  var uids: Set<UInt> { state.withLock { $0.uids } }

  func onCaptureVideoFrame(_ frame: VideoFrame) -> VideoFrame? { note(frame, .postCapture) }

  func onPreEncodeVideoFrame(_ frame: VideoFrame) -> VideoFrame? { note(frame, .preEncode) }

  func onRenderVideoFrame(_ frame: VideoFrame, connection: RTCConnection, uid: UInt) -> VideoFrame? {
    state.withLock { _ = $0.uids.insert(uid) }
    return note(frame, .preRender)
  }

  private func note(_ frame: VideoFrame, _ position: VideoFramePosition) -> VideoFrame? {
    state.withLock { state in
      state.seen += 1
      state.positions.insert(position)
    }
    if drops.load(ordering: .relaxed) { return nil }
    guard videoFrameProcessMode == .readWrite else { return frame }
    frame.planeY.update(repeating: 16, count: frame.strideY * frame.height)
    return frame
  }
}

/// Counts pictures that are black all over, and others.
private final class DarkCounter: Sendable {
  private let counts = Mutex((dark: 0, bright: 0))

  var dark: Int { counts.withLock { $0.dark } }
  var bright: Int { counts.withLock { $0.bright } }

  @Sendable func look(_ frame: VideoFrame) {
    let isDark = stride(from: 0, to: frame.width, by: 8).allSatisfy {
      frame.planeY[frame.strideY * (frame.height / 2) + $0] < 40
    }
    counts.withLock { if isDark { $0.dark += 1 } else { $0.bright += 1 } }
  }
}

/// Changes sound, and keeps how much of it came and how loud it was.
private final class SoundChanger: RTCAudioFrameDelegate {
  enum Change {
    case square
    case silence
    case wrongLength
  }

  let audioFrameProcessMode: FrameProcessMode
  let changes = Mutex<[AudioFramePosition: Change]>([:])
  private let heard = Mutex<[AudioFramePosition: (count: Int, loudest: Int)]>([:])

  init(_ mode: FrameProcessMode = .readWrite) { audioFrameProcessMode = mode }

  var observedAudioFramePositions: AudioFramePosition { [.record, .playback, .mixed, .beforeMixing] }

  func count(_ position: AudioFramePosition) -> Int { heard.withLock { $0[position]?.count ?? 0 } }

  func loudest(_ position: AudioFramePosition) -> Int { heard.withLock { $0[position]?.loudest ?? 0 } }

  func onRecordAudioFrame(_ frame: AudioFrame) -> AudioFrame? { note(frame, .record) }
  func onPlaybackAudioFrame(_ frame: AudioFrame) -> AudioFrame? { note(frame, .playback) }
  func onMixedAudioFrame(_ frame: AudioFrame) { _ = note(frame, .mixed) }

  func onPlaybackAudioFrameBeforeMixing(
    _ frame: AudioFrame, connection: RTCConnection, uid: UInt
  ) -> AudioFrame? { note(frame, .beforeMixing) }

  private func note(_ frame: AudioFrame, _ position: AudioFramePosition) -> AudioFrame? {
    let loudest = frame.samples.reduce(0) { max($0, abs(Int($1))) }
    heard.withLock { heard in
      let before = heard[position] ?? (0, 0)
      heard[position] = (before.count + 1, max(before.loudest, loudest))
    }
    var frame = frame
    switch changes.withLock({ $0[position] }) {
    case .square?:
      for index in frame.samples.indices {
        frame.samples[index] = index / frame.channelCount / 24 % 2 == 0 ? 12_000 : -12_000
      }
    case .wrongLength?: frame.samples.removeLast(2)
    case .silence?: return nil
    case nil: break
    }
    return frame
  }
}
