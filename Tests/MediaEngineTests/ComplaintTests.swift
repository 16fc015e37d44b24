import MediaEngine
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  /// What has gone wrong in engines of this kind, and must not here.
  @Suite struct ComplaintTests {
    @Test func `a second default join is refused and the first goes on; an extra one succeeds`() async throws {
      let stage = try Stage()
      let (log, pictures) = (Recorder(), PictureCounter())
      let (host, viewer) = (stage.engine(nil), stage.engine(log, video: false, audio: false))
      pictures.observe(viewer)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await pictures.getsMore(1))
      #expect(viewer.joinChannel(token: nil, channelID: "other", uid: 2, options: ChannelMediaOptions()) == -17)
      let extra = RTCConnection(channelID: "other", localUID: 2)
      #expect(viewer.joinChannelEx(token: nil, connection: extra, delegate: nil, options: ChannelMediaOptions()) == 0)
      #expect(await log.heard("joined other/2"))
      #expect(await pictures.getsMore(1))
      #expect(viewer.connectionState() == .connected)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `a channel that a call is in, which gives way, is joined by the application, with another profile too`()
      async throws
    {
      let stage = try Stage()
      let (log, calls) = (Recorder(), Recorder())
      let engine = stage.engine(log, video: false, audio: false)
      let show = RTCConnection(channelID: "show", localUID: 1)
      for round in 0..<20 {
        let isExtra = round % 2 == 1
        let options = ChannelMediaOptions(clientRoleType: .broadcaster, channelProfile: .communication)
        let code = engine.joinChannelEx(
          token: nil, connection: show, delegate: calls, options: options, giveWay: { engine.leaveChannelEx(show) })
        #expect(code == 0)
        // At any time: while it connects, too.
        if round % 3 > 0 { #expect(await calls.heard("joined show/1")) }
        log.clear()
        calls.clear()
        let live = ChannelMediaOptions(clientRoleType: .broadcaster, channelProfile: .liveBroadcasting)
        #expect(
          0
            == (isExtra
              ? engine.joinChannelEx(token: nil, connection: show, delegate: log, options: live)
              : engine.joinChannel(token: nil, channelID: "show", uid: 1, options: live)))
        #expect(await log.heard("joined show/1"))
        #expect(await calls.heard("left show"))
        #expect(engine.connectionState(of: show) == .connected)
        engine.leaveChannelEx(show)
        #expect(await log.heard("left show"))
      }
      engine.destroy()
    }

    @Test func `a second engine publishes a second camera in the same channel at the same time`() async throws {
      let stage = try Stage()
      let pictures = PictureCounter()
      // The camera, and what would be another camera or a screen: other pictures, of another size.
      let (camera, second) = (stage.engine(nil), stage.engine(nil, audio: false))
      let viewer = stage.engine(nil, video: false, audio: false)
      second.setVideoEncoderConfiguration(VideoEncoderConfiguration(width: 160, height: 90, frameRate: 15))
      pictures.observe(viewer)
      viewer.joinChannel(token: nil, channelID: "show", uid: 9, options: ChannelMediaOptions())
      camera.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      second.joinChannel(token: nil, channelID: "show", uid: 1_001, options: Stage.broadcaster)
      #expect(await pictures.getsMore(1))
      #expect(await pictures.getsMore(1_001))
      #expect(await eventually { viewer.statistics()?.remote.first { $0.uid == 1 }?.width == 320 })
      #expect(viewer.statistics()?.remote.first { $0.uid == 1_001 }?.width == 160)
      // The one ends without the other.
      second.leaveChannel()
      #expect(await pictures.getsMore(1))
      for engine in [camera, second, viewer] { engine.destroy() }
    }

    @Test func `late joiners are told of everybody who is there`() async throws {
      let stage = try Stage()
      let hosts = (1...4).map { _ in stage.engine(nil, video: false, audio: false) }
      for (index, host) in hosts.enumerated() {
        _ = try await host.join(channelID: "show", uid: UInt(index + 1), options: Stage.broadcaster)
      }
      let log = Recorder()
      let late = stage.engine(log, video: false, audio: false)
      late.joinChannel(token: nil, channelID: "show", uid: 9, options: ChannelMediaOptions())
      for uid in 1...4 { #expect(await log.heard("user \(uid) joined")) }
      #expect(log.log.count { $0.hasPrefix("user") } == 4)
      for engine in hosts + [late] { engine.destroy() }
    }

    @Test func `a promoted viewer is seen by host and viewers, hears itself never, and is one stream less afterwards`()
      async throws
    {
      let stage = try Stage()
      let (host, guest, viewer) = (stage.engine(nil), stage.engine(nil), stage.engine(nil, video: false, audio: false))
      let (atHost, atGuest, atViewer) = (PictureCounter(), PictureCounter(), PictureCounter())
      let viewerLog = Recorder()
      viewer.addDelegate(viewerLog)
      atHost.observe(host)
      atGuest.observe(guest)
      atViewer.observe(viewer)
      let pair = RTCConnection(channelID: "show", localUID: 2)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      guest.joinChannelEx(
        token: nil, connection: pair, delegate: nil, options: ChannelMediaOptions(audienceLatencyLevel: .lowLatency))
      viewer.joinChannel(token: nil, channelID: "show", uid: 3, options: ChannelMediaOptions())
      #expect(await atGuest.getsMore(1))
      #expect(await atViewer.getsMore(1))
      guest.updateChannelMediaOptionsEx(
        ChannelMediaOptions(
          publishCameraTrack: true, publishMicrophoneTrack: true, clientRoleType: .broadcaster,
          audienceLatencyLevel: .ultraLowLatency), connection: pair)
      #expect(await atHost.getsMore(2))
      #expect(await atViewer.getsMore(2))
      #expect(await viewerLog.heard("first audio 2"))
      #expect(atGuest.count(2) == 0)
      guest.updateChannelMediaOptionsEx(
        ChannelMediaOptions(
          publishCameraTrack: false, publishMicrophoneTrack: false, clientRoleType: .audience,
          audienceLatencyLevel: .lowLatency), connection: pair)
      #expect(await viewerLog.heard("user 2 offline 2"))
      #expect(await eventually { viewer.statistics()?.remote.map(\.uid) == [1] })
      for engine in [host, guest, viewer] { engine.destroy() }
    }

    @Test func `two connections of one user do not hear each other, and nobody hears their own microphone`()
      async throws
    {
      let stage = try Stage()
      let (engine, peer) = (stage.engine(nil, video: false), stage.engine(nil, video: false, audio: false))
      let (heard, atPeer) = (SharedCounter(), SharedCounter())
      engine.setAudioFrameObserver { if $0.position != .recorded, $0.level > 0 { heard.add() } }
      peer.setAudioFrameObserver { if $0.position == .playback, $0.level > 0 { atPeer.add() } }
      engine.joinChannel(token: nil, channelID: "a", uid: 1, options: Stage.broadcaster)
      engine.joinChannelEx(
        token: nil, connection: RTCConnection(channelID: "b", localUID: 1), delegate: nil, options: Stage.broadcaster)
      peer.joinChannel(token: nil, channelID: "b", uid: 2, options: ChannelMediaOptions())
      #expect(await eventually { atPeer.value > 50 })
      #expect(heard.value == 0)
      for engine in [engine, peer] { engine.destroy() }
    }

    @Test func `several delegates of one connection hear everything, and one that is taken away nothing more`()
      async throws
    {
      let stage = try Stage()
      let (first, second, third) = (Recorder(), Recorder(), Recorder())
      let engine = stage.engine(nil, video: false, audio: false)
      let pair = RTCConnection(channelID: "a", localUID: 1)
      #expect(engine.addDelegateEx(second, connection: pair) == -2)
      engine.joinChannelEx(token: nil, connection: pair, delegate: first, options: ChannelMediaOptions())
      #expect(engine.addDelegateEx(second, connection: pair) == 0)
      #expect(engine.addDelegateEx(third, connection: pair) == 0)
      for log in [first, second, third] { #expect(await log.heard("joined a/1")) }
      #expect(engine.removeDelegateEx(third, connection: pair) == 0)
      engine.leaveChannelEx(pair)
      #expect(await first.heard("left a"))
      #expect(await second.heard("left a"))
      #expect(!third.log.contains("left a"))
      #expect(Array(first.log.suffix(second.log.count)) == second.log)
      engine.destroy()
    }

    @Test func `a token alone is an update that changes no media`() async throws {
      let stage = try Stage()
      let (hostLog, log) = (Recorder(), Recorder())
      let (host, viewer) = (stage.engine(nil), stage.engine(log, video: false, audio: false))
      let (pair, pictures) = (RTCConnection(channelID: "show", localUID: 1), PictureCounter())
      pictures.observe(viewer)
      host.joinChannelEx(token: "one", connection: pair, delegate: hostLog, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await pictures.getsMore(1))
      #expect(await log.heard("audio 1 2,6"))
      #expect(host.updateChannelMediaOptionsEx(ChannelMediaOptions(token: "two"), connection: pair) == 0)
      #expect(await hostLog.heard("token renewed 0"))
      #expect(await pictures.getsMore(1))
      #expect(log.log.count { $0 == "video 1 2,6" } == 1)
      let ends = ["video 1 0,5", "audio 1 0,5"]
      #expect(!log.log.contains { ends.contains($0) || $0.hasPrefix("user 1 offline") })
      #expect(hostLog.log.count { $0.hasPrefix("state") } == 2)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `recording and playback volumes are heard`() async throws {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil, video: false), stage.engine(nil, video: false, audio: false))
      let levels = Mutex((remote: 0, playback: 0))
      viewer.setAudioFrameObserver { observed in
        levels.withLock { levels in
          if observed.position == .playback { levels.playback = observed.level } else { levels.remote = observed.level }
        }
      }
      for engine in [host, viewer] {
        #expect(engine.adjustRecordingSignalVolume(401) == -2)
        #expect(engine.adjustPlaybackSignalVolume(-1) == -2)
      }
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await eventually { levels.withLock { $0.playback > 100 && abs($0.playback - $0.remote) < 8 } })
      viewer.adjustPlaybackSignalVolume(10)
      #expect(await eventually { levels.withLock { $0.remote - $0.playback > 40 } })
      host.muteRecordingSignal(true)
      #expect(await eventually { levels.withLock { $0.remote < 20 } })
      host.muteRecordingSignal(false)
      #expect(await eventually { levels.withLock { $0.remote > 100 } })
      host.adjustRecordingSignalVolume(5)
      #expect(await eventually { levels.withLock { (20..<150).contains($0.remote) } })
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `a connection without audio devices publishes no microphone`() async throws {
      let stage = try Stage()
      let log = Recorder()
      let (host, viewer) = (stage.engine(log), stage.engine(nil, video: false, audio: false))
      var options = Stage.broadcaster
      options.enableAudioRecordingOrPlayout = false
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: options)
      #expect(await log.heard("video published"))
      #expect(!log.log.contains("audio published"))
      host.updateChannelMediaOptions(ChannelMediaOptions(enableAudioRecordingOrPlayout: true))
      #expect(await log.heard("audio published"))
      for engine in [host, viewer] { engine.destroy() }
    }
  }
}
