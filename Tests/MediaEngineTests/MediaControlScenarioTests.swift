import MediaEngine
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  /// Muting, enabling, roles and the way from the show to a call and back.
  @Suite struct MediaControlScenarioTests {
    @Test func `muting the camera stops it for others and leaves the preview; unmuting publishes a first frame again`()
      async throws
    {
      let stage = try Stage()
      let (hostLog, viewerLog) = (Recorder(), Recorder())
      let host = stage.engine(hostLog)
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      let count = SharedCounter()
      host.setupLocalVideo(VideoCanvas(target: .closure { _ in count.add() }))
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await viewerLog.heard("video 1 2,6"))
      #expect(await hostLog.heard("video published"))
      #expect(host.muteLocalVideoStream(true) == 0)
      #expect(await viewerLog.heard("video 1 0,5"))
      let shown = count.value
      #expect(await eventually { count.value > shown + 5 })
      #expect(host.muteLocalVideoStream(false) == 0)
      #expect(await viewerLog.heard("video 1 2,6", count: 2))
      #expect(await hostLog.heard("video published", count: 2))
      host.destroy()
      viewer.destroy()
    }

    @Test func `turning the camera off and on again publishes only after the publish flag is set again`() async throws {
      let stage = try Stage()
      let (hostLog, viewerLog) = (Recorder(), Recorder())
      let host = stage.engine(hostLog)
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await viewerLog.heard("video 1 2,6"))
      #expect(await viewerLog.heard("audio 1 2,6"))
      host.enableLocalVideo(false)
      #expect(await viewerLog.heard("video 1 0,5"))
      #expect(await hostLog.heard("local video 0,0"))
      host.enableLocalVideo(true)
      // Audio still comes when everything that was asked for before has been carried out.
      host.muteLocalAudioStream(true)
      #expect(await viewerLog.heard("audio 1 0,5"))
      #expect(viewerLog.log.count { $0 == "video 1 2,6" } == 1)
      host.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: true))
      #expect(await viewerLog.heard("video 1 2,6", count: 2))
      host.destroy()
      viewer.destroy()
    }

    @Test func `demotion takes the host off the stage with reason becameAudience, promotion brings it back`()
      async throws
    {
      let stage = try Stage()
      let (hostLog, viewerLog, pictures) = (Recorder(), Recorder(), PictureCounter())
      let host = stage.engine(hostLog)
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      pictures.observe(viewer)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await pictures.getsMore(1))
      host.setClientRole(.audience)
      #expect(await viewerLog.heard("user 1 offline 2"))
      #expect(await hostLog.heard("role 1 to 2"))
      host.setClientRole(.broadcaster)
      #expect(await viewerLog.heard("user 1 joined", count: 2))
      #expect(await pictures.getsMore(1))
      host.destroy()
      viewer.destroy()
    }

    @Test func `the host goes from the show to a call and back; viewers stay and see nothing meanwhile`() async throws {
      let stage = try Stage()
      let (viewerLog, callerLog) = (Recorder(), Recorder())
      let (atViewer, atCaller) = (PictureCounter(), PictureCounter())
      let host = stage.engine(nil)
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      let caller = stage.engine(nil)
      atViewer.observe(viewer)
      atCaller.observe(caller)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await atViewer.getsMore(1))
      host.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: false, publishMicrophoneTrack: false))
      #expect(await viewerLog.heard("video 1 0,5"))
      let seen = atViewer.count(1)
      let (hostPair, callerPair) = (
        RTCConnection(channelID: "call", localUID: 1), RTCConnection(channelID: "call", localUID: 3)
      )
      caller.joinChannelEx(token: nil, connection: callerPair, delegate: callerLog, options: Stage.broadcaster)
      host.joinChannelEx(token: nil, connection: hostPair, delegate: nil, options: Stage.broadcaster)
      #expect(await atCaller.getsMore(1, 20))
      #expect(callerLog.log.contains("video 1 2,6"))
      #expect(atViewer.count(1) == seen)
      #expect(atViewer.count(3) == 0)
      #expect(!viewerLog.log.contains { $0.hasPrefix("user 1 offline") })
      host.leaveChannelEx(hostPair)
      host.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: true, publishMicrophoneTrack: true))
      #expect(await viewerLog.heard("video 1 2,6", count: 2))
      #expect(await atViewer.getsMore(1))
      #expect(viewerLog.log.count { $0 == "user 1 joined" } == 1)
      for engine in [host, viewer, caller] { engine.destroy() }
    }

    @Test func `one camera serves two channels at once with one encoding`() async throws {
      let stage = try Stage()
      let (first, second) = (PictureCounter(), PictureCounter())
      let host = stage.engine(nil)
      let (a, b) = (stage.engine(nil, video: false, audio: false), stage.engine(nil, video: false, audio: false))
      first.observe(a)
      second.observe(b)
      let extra = RTCConnection(channelID: "two", localUID: 1)
      host.joinChannel(token: nil, channelID: "one", uid: 1, options: Stage.broadcaster)
      host.joinChannelEx(token: nil, connection: extra, delegate: nil, options: Stage.broadcaster)
      a.joinChannel(token: nil, channelID: "one", uid: 2, options: ChannelMediaOptions())
      b.joinChannel(token: nil, channelID: "two", uid: 2, options: ChannelMediaOptions())
      #expect(await first.getsMore(1, 10))
      #expect(await second.getsMore(1, 10))
      let totals = try #require(host.statistics(of: extra))
      #expect(totals.local.encodedFrames <= totals.local.capturedFrames)
      #expect(totals.sentVideoFrames <= totals.local.encodedFrames)
      for engine in [host, a, b] { engine.destroy() }
    }

    @Test func `a canvas that is set before the peer comes shows the first frame`() async throws {
      let stage = try Stage()
      let viewerLog = Recorder()
      let host = stage.engine(nil)
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      let (early, late) = (SharedCounter(), SharedCounter())
      let pair = RTCConnection(channelID: "room", localUID: 2)
      viewer.setupRemoteVideoEx(VideoCanvas(uid: 1, target: .closure { _ in early.add() }), connection: pair)
      viewer.joinChannelEx(token: nil, connection: pair, delegate: nil, options: ChannelMediaOptions())
      host.joinChannel(token: nil, channelID: "room", uid: 1, options: Stage.broadcaster)
      #expect(await eventually { early.value > 0 })
      viewer.setupRemoteVideoEx(VideoCanvas(uid: 1, target: .closure { _ in late.add() }), connection: pair)
      #expect(await eventually { late.value > 5 })
      let totals = try #require(viewer.statistics(of: pair)?.remote.first)
      #expect(early.value + late.value <= totals.decodedVideoFrames + 1)
      // Every picture from the first decoded one on is shown: an early canvas waits for nothing else.
      #expect(early.value + late.value >= totals.decodedVideoFrames - 1)
      host.destroy()
      viewer.destroy()
    }

    @Test func `volume 0 silences one user, also when set before the user is there`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil, video: false)
      let viewer = stage.engine(nil, video: false, audio: false)
      let (heard, played) = (SharedCounter(), SharedCounter())
      viewer.setAudioFrameObserver { observed in
        switch observed.position {
        case .beforeMixing: if observed.level > 0 { heard.add() }
        case .playback: if observed.level > 0 { played.add() }
        case .recorded: break
        }
      }
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(viewer.adjustUserPlaybackSignalVolume(uid: 1, volume: 0) == 0)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await eventually { heard.value > 20 })
      #expect(played.value == 0)
      viewer.adjustUserPlaybackSignalVolume(uid: 1, volume: 100)
      #expect(await eventually { played.value > 20 })
      host.destroy()
      viewer.destroy()
    }
  }
}

/// A number that several threads add to.
final class SharedCounter: Sendable {
  private let count = Mutex(0)
  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}
