import Dispatch
import TestSupport
import Testing

@testable import MediaEngine

extension EngineTests {
  /// Modules, previews, roles and canvases with real media.
  @Suite struct ModuleTests {
    @Test func `disableVideo turns a call into one with sound only, on both ways`() async throws {
      let stage = try Stage()
      let (aLog, bLog) = (Recorder(), Recorder())
      let (a, b) = (stage.engine(aLog), stage.engine(bLog))
      a.joinChannel(token: nil, channelID: "call", uid: 1, options: Stage.broadcaster)
      b.joinChannel(token: nil, channelID: "call", uid: 2, options: Stage.broadcaster)
      #expect(await aLog.heard("video 2 2,6"))
      #expect(await bLog.heard("video 1 2,6"))
      #expect(await bLog.heard("audio 1 2,6"))
      a.disableVideo()
      #expect(await bLog.heard("video 1 0,5"))
      #expect(await aLog.heard("video 2 0,3"))
      #expect(await aLog.heard("local video 0,0"))
      #expect(!bLog.log.contains("audio 1 0,5"))
      a.enableVideo()
      #expect(await bLog.heard("video 1 2,6", count: 2))
      #expect(await aLog.heard("video 2 2,4"))
      a.disableAudio()
      #expect(await bLog.heard("audio 1 0,5"))
      #expect(await aLog.heard("audio 2 0,3"))
      for engine in [a, b] { engine.destroy() }
    }

    @Test func `a preview survives leaving`() async throws {
      let stage = try Stage()
      let log = Recorder()
      let (host, shown) = (stage.engine(log), SharedCounter())
      host.setupLocalVideo(VideoCanvas(target: .closure { _ in shown.add() }))
      host.startPreview()
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await log.heard("video published"))
      host.leaveChannel()
      #expect(await log.heard("left show"))
      let count = shown.value
      #expect(await eventually { shown.value > count + 30 })
      #expect(log.log.count { $0 == "first local video" } == 1)
      host.destroy()
    }

    @Test func `canvases are added, replaced and removed, and each gets every picture meanwhile`() async throws {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil), stage.engine(nil, video: false, audio: false))
      let (first, second, third) = (SharedCounter(), SharedCounter(), SharedCounter())
      func canvas(_ counter: SharedCounter, _ name: String, _ mode: VideoViewSetupMode) -> VideoCanvas {
        VideoCanvas(uid: 1, target: .closure { _ in counter.add() }, setupMode: mode, name: name)
      }
      viewer.setupRemoteVideo(canvas(first, "first", .replace))
      viewer.setupRemoteVideo(canvas(second, "second", .add))
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await eventually { first.value > 5 && second.value > 5 })
      viewer.setupRemoteVideo(canvas(first, "first", .remove))
      #expect(await still(first, while: second))
      viewer.setupRemoteVideo(canvas(third, "third", .replace))
      #expect(await still(second, while: third))
      viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .none))
      let pictures = PictureCounter()
      pictures.observe(viewer)
      #expect(await pictures.getsMore(1))
      let count = third.value
      #expect(await pictures.getsMore(1))
      #expect(third.value == count)
      for engine in [host, viewer] { engine.destroy() }
    }

    /// Whether one canvas gets nothing any more while another one does.
    private func still(_ quiet: SharedCounter, while busy: SharedCounter) async -> Bool {
      let before = busy.value
      guard await eventually({ busy.value > before + 2 }) else { return false }
      let (count, now) = (quiet.value, busy.value)
      guard await eventually({ busy.value > now + 5 }) else { return false }
      return quiet.value == count
    }

    @Test func `what is muted before joining is not sent until it is unmuted, on the next default connection alone`()
      async throws
    {
      let stage = try Stage()
      let (log, states, pictures) = (Recorder(), StreamRecorder(), PictureCounter())
      let (host, viewer) = (stage.engine(nil), stage.engine(log, video: false, audio: false))
      viewer.addDelegate(states)
      pictures.observe(viewer)
      let extra = RTCConnection(channelID: "extra", localUID: 1)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      viewer.joinChannelEx(
        token: nil, connection: RTCConnection(channelID: "extra", localUID: 2), delegate: nil,
        options: ChannelMediaOptions())
      #expect(host.muteLocalVideoStream(true) == 0)
      #expect(host.muteLocalAudioStream(true) == 0)
      host.joinChannelEx(token: nil, connection: extra, delegate: nil, options: Stage.broadcaster)
      #expect(await pictures.getsMore(1, 1))
      #expect(await states.heard("audio decoded 1"))
      #expect(host.leaveChannelEx(extra) == 0)
      #expect(await log.heard("user 1 offline 0"))
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await states.heard("video muted 1 true"))
      #expect(await states.heard("audio muted 1 true"))
      host.setVideoEncoderConfiguration(VideoEncoderConfiguration(width: 160, height: 90, frameRate: 30, bitrate: 100))
      host.muteLocalVideoStream(false)
      #expect(await pictures.getsMore(1, 1))
      // The first picture is one of those after the unmuting, and sound has not come.
      #expect(await states.heard("decoded 1 160x90"))
      #expect(states.log.count { $0.hasPrefix("decoded 1") } == 2)
      #expect(states.log.count { $0 == "audio decoded 1" } == 1)
      host.leaveChannel()
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await states.heard("audio decoded 1", count: 2))
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `mirrored canvases show left and right exchanged`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil)
      let pairs = PicturePairs()
      host.setupLocalVideo(VideoCanvas(target: .closure { pairs.plain($0) }, name: "plain"))
      host.setupLocalVideo(
        VideoCanvas(target: .closure { pairs.mirrored($0) }, setupMode: .add, mirrorMode: .enabled, name: "mirror"))
      host.startPreview()
      #expect(await eventually { pairs.matches > 3 })
      #expect(pairs.mismatches == 0)
      host.destroy()
    }

    @Test func `an audience that made itself one before joining is told so; a broadcaster is not`() async throws {
      let stage = try Stage()
      for role in [ClientRole.audience, .broadcaster] {
        let log = StreamRecorder()
        let engine = stage.engine(nil, video: false, audio: false)
        engine.addDelegate(log)
        engine.setClientRole(role, options: ClientRoleOptions(audienceLatencyLevel: .lowLatency))
        _ = try await engine.join(channelID: "show", uid: 2, options: ChannelMediaOptions())
        if role == .audience { #expect(await log.heard("role 1>2 1")) }
        engine.setClientRole(role == .audience ? .broadcaster : .audience)
        #expect(await log.heard(role == .audience ? "role 2>1 2" : "role 1>2 2"))
        #expect(log.log.count { $0.hasPrefix("role") } == (role == .audience ? 2 : 1))
        engine.destroy()
      }
    }

    @Test func `a frame processor's pictures are what others get, and a dropped one is seen by nobody`() async throws {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil), stage.engine(nil, video: false, audio: false))
      let black = SharedCounter()
      host.setVideoFrameProcessor { frame in
        let picture = VideoFrame(width: frame.width, height: frame.height, captureTime: frame.captureTime)
        picture.planeY.update(repeating: 16, count: picture.strideY * picture.height)
        picture.planeU.update(repeating: 128, count: picture.strideUV * picture.chromaHeight)
        picture.planeV.update(repeating: 128, count: picture.strideUV * picture.chromaHeight)
        return picture
      }
      viewer.setupRemoteVideo(
        VideoCanvas(
          uid: 1, target: .closure { if $0.planeY[$0.strideY * 90 + 160] < 24 { black.add() } }))
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await eventually { black.value > 10 })
      host.setVideoFrameProcessor { _ in nil }
      let seen = SharedCounter()
      host.setLocalVideoFrameObserver { _ in seen.add() }
      let captured = try #require(host.statistics()).local.capturedFrames
      #expect(seen.value <= 1)
      host.setVideoFrameProcessor(nil)
      #expect(await eventually { seen.value > 5 })
      #expect(try #require(host.statistics()).local.capturedFrames >= captured)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `a beauty effect is in what others get, until it is turned off`() async throws {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil), stage.engine(nil, video: false, audio: false))
      // Grey of 100, of which the effect makes something lighter.
      host.setVideoFrameProcessor { frame in
        let picture = VideoFrame(width: frame.width, height: frame.height, captureTime: frame.captureTime)
        picture.planeY.update(repeating: 100, count: picture.strideY * picture.height)
        picture.planeU.update(repeating: 128, count: picture.strideUV * picture.chromaHeight)
        picture.planeV.update(repeating: 128, count: picture.strideUV * picture.chromaHeight)
        return picture
      }
      let (grey, light) = (SharedCounter(), SharedCounter())
      let look: @Sendable (VideoFrame) -> Void = { frame in
        let value = frame.planeY[frame.strideY * 90 + 160]
        if value > 112 { light.add() } else if (96...104).contains(value) { grey.add() }
      }
      viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .closure(look)))
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await eventually { grey.value > 5 })
      #expect(light.value == 0)
      #expect(host.setBeautyEffectOptions(true, options: BeautyOptions(lighteningLevel: 1.5)) == -2)
      #expect(host.setBeautyEffectOptions(true, options: BeautyOptions(lighteningLevel: 1)) == 0)
      #expect(await eventually { light.value > 5 })
      #expect(host.setBeautyEffectOptions(false) == 0)
      let before = grey.value
      #expect(await eventually { grey.value > before + 5 })
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `beauty options are taken over while a picture is still being filtered`() async throws {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:9"))
      let pipeline = try #require(engine.runtime.parts.get()).videoSend
      pipeline.setCapturing(true)
      let (begun, done) = (SharedCounter(), SharedCounter())
      engine.setVideoFrameProcessor { frame in
        begun.add()
        return frame
      }
      engine.setLocalVideoFrameObserver { _ in done.add() }
      #expect(engine.setBeautyEffectOptions(true) == 0)
      // So large that a call which waited for it would see its end.
      DispatchQueue.global().async { pipeline.push(VideoFrame(width: 4_096, height: 4_096)) }
      #expect(await eventually { begun.value == 1 })
      for level in 0..<20 {
        #expect(engine.setBeautyEffectOptions(true, options: BeautyOptions(lighteningLevel: Double(level) / 20)) == 0)
      }
      #expect(done.value == 0)
      #expect(await eventually { done.value == 1 })
      engine.destroy()
    }

    @Test func `a fixed portrait is sent upright, a fixed landscape wide`() async throws {
      let stage = try Stage()
      let log = StreamRecorder()
      let (host, viewer) = (stage.engine(nil), stage.engine(nil, video: false, audio: false))
      viewer.addDelegate(log)
      host.setVideoEncoderConfiguration(
        VideoEncoderConfiguration(
          width: 320, height: 180, frameRate: 30, bitrate: 300, orientationMode: .fixedPortrait))
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(
        await eventually {
          log.log.contains { entry in
            guard entry.hasPrefix("decoded 1 ") else { return false }
            let sides = entry.dropFirst("decoded 1 ".count).split(separator: "x").compactMap { Int($0) }
            return sides.count == 2 && sides[0] < sides[1] && abs(sides[0] * 16 - sides[1] * 9) < 40
          }
        })
      for engine in [host, viewer] { engine.destroy() }
    }
  }
}
