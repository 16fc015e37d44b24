import MediaEngine
import TestSupport
import Testing

extension EngineTests {
  /// Acceptance scenarios with a real server, real sockets and real codecs on loopback.
  @Suite struct ChannelScenarioTests {
    @Test func `a delegate of the engine that is also a connection's hears everything once`() async throws {
      let stage = try Stage()
      let log = Recorder()
      let engine = stage.engine(log)
      let pair = RTCConnection(channelID: "a", localUID: 3)
      engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: ChannelMediaOptions())
      #expect(engine.addDelegateEx(log, connection: pair) == 0)
      #expect(await log.heard("joined a/3"))
      engine.leaveChannelEx(pair)
      #expect(await log.heard("left a"))
      #expect(log.log.count { $0 == "joined a/3" } == 1)
      // Taken away from the connection, it is the engine's still.
      engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: ChannelMediaOptions())
      #expect(await log.heard("joined a/3", count: 2))
      engine.destroy()
    }

    @Test func `a viewer decodes the host's pictures and reads the clock that is burnt into them`() async throws {
      let stage = try Stage()
      let (hostLog, viewerLog, pictures) = (Recorder(), Recorder(), PictureCounter())
      let host = stage.engine(hostLog)
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      pictures.observe(viewer)
      #expect(host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster) == 0)
      #expect(viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions()) == 0)
      #expect(await pictures.getsMore(1, 10))
      #expect(await viewerLog.heard("first audio 1"))
      #expect(await hostLog.heard("video published"))
      #expect(await hostLog.heard("audio published"))
      let clock = try #require(pictures.clock(1))
      #expect(await eventually { (pictures.clock(1) ?? .zero) > clock })
      #expect(viewerLog.log.contains("video 1 2,6"))
      #expect(viewerLog.log.contains("audio 1 2,6"))
      host.destroy()
      #expect(await viewerLog.heard("user 1 offline 0"))
      viewer.destroy()
    }

    @Test func `with empty options the role is audience: nothing is published and everything is received`() async throws
    {
      let stage = try Stage()
      let (hostLog, viewerLog, pictures) = (Recorder(), Recorder(), PictureCounter())
      let host = stage.engine(hostLog)
      let viewer = stage.engine(viewerLog)
      pictures.observe(viewer)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await pictures.getsMore(1))
      #expect(!viewerLog.log.contains("local video 1,0"))
      #expect(!hostLog.log.contains("user 2 joined"))
      viewer.destroy()
      host.destroy()
    }

    @Test func `joining is connecting, connected, joined, once each; a closure replaces the delegate call`()
      async throws
    {
      let stage = try Stage()
      let log = Recorder()
      let engine = stage.engine(log, video: false, audio: false)
      engine.joinChannel(token: nil, channelID: "a", uid: 5, options: ChannelMediaOptions())
      #expect(await log.heard("joined a/5"))
      #expect(log.log == ["state 2,0", "state 3,1", "joined a/5"])
      let pair = RTCConnection(channelID: "b", localUID: 5)
      engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: ChannelMediaOptions()) {
        channel, uid, _ in log.note("closure \(channel)/\(uid)")
      }
      #expect(await log.heard("closure b/5"))
      #expect(!log.log.contains("joined b/5"))
      engine.destroy()
    }

    @Test func `a default join with uid 0 is given a number`() async throws {
      let stage = try Stage()
      let log = Recorder()
      let engine = stage.engine(log, video: false, audio: false)
      engine.joinChannel(token: nil, channelID: "a", uid: 0, options: ChannelMediaOptions())
      #expect(await eventually { log.log.contains { $0.hasPrefix("joined a/") && $0 != "joined a/0" } })
      engine.destroy()
    }

    @Test func `leaveChannel sweeps all connections, leaveChannelEx takes exactly one`() async throws {
      let stage = try Stage()
      let log = Recorder()
      let engine = stage.engine(log, video: false, audio: false)
      let options = ChannelMediaOptions()
      engine.joinChannel(token: nil, channelID: "a", uid: 1, options: options)
      for channel in ["b", "c", "d"] {
        let pair = RTCConnection(channelID: channel, localUID: 1)
        engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options)
      }
      #expect(await log.heard("state 3,1", count: 4))
      #expect(engine.leaveChannelEx(RTCConnection(channelID: "d", localUID: 1)) == 0)
      #expect(await log.heard("left d"))
      #expect(log.log.count { $0.hasPrefix("left") } == 1)
      #expect(engine.leaveChannel() == 0)
      for channel in ["a", "b", "c"] { #expect(await log.heard("left \(channel)")) }
      #expect(log.log.count { $0.hasPrefix("left") } == 4)
      engine.destroy()
    }

    @Test func `updates at once after joinChannelEx are applied`() async throws {
      let stage = try Stage()
      let (viewerLog, pictures) = (Recorder(), PictureCounter())
      let host = stage.engine(nil)
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      pictures.observe(viewer)
      let hostPair = RTCConnection(channelID: "room", localUID: 1)
      let viewerPair = RTCConnection(channelID: "room", localUID: 2)
      let silent = ChannelMediaOptions(
        publishCameraTrack: false, publishMicrophoneTrack: false, autoSubscribeAudio: false, autoSubscribeVideo: false,
        clientRoleType: .broadcaster)
      host.joinChannelEx(token: nil, connection: hostPair, delegate: nil, options: silent)
      #expect(
        host.updateChannelMediaOptionsEx(
          ChannelMediaOptions(publishCameraTrack: true, publishMicrophoneTrack: true), connection: hostPair) == 0)
      viewer.joinChannelEx(token: nil, connection: viewerPair, delegate: nil, options: silent)
      #expect(
        viewer.updateChannelMediaOptionsEx(
          ChannelMediaOptions(autoSubscribeAudio: true, autoSubscribeVideo: true), connection: viewerPair) == 0)
      #expect(await pictures.getsMore(1))
      #expect(await viewerLog.heard("first audio 1"))
      host.destroy()
      viewer.destroy()
    }

    @Test func `unsubscribing video alone ends it with localMuted and leaves publishing and role alone`() async throws {
      let stage = try Stage()
      let (aLog, bLog, pictures) = (Recorder(), Recorder(), PictureCounter())
      let a = stage.engine(aLog)
      let b = stage.engine(bLog)
      pictures.observe(b)
      a.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      b.joinChannel(token: nil, channelID: "show", uid: 2, options: Stage.broadcaster)
      #expect(await pictures.getsMore(1))
      #expect(await aLog.heard("video 2 2,6"))
      b.updateChannelMediaOptions(ChannelMediaOptions(autoSubscribeVideo: false))
      #expect(await bLog.heard("video 1 0,3"))
      b.updateChannelMediaOptions(ChannelMediaOptions(autoSubscribeVideo: true))
      #expect(await bLog.heard("video 1 2,4"))
      #expect(await pictures.getsMore(1))
      #expect(!aLog.log.contains { $0.hasPrefix("video 2 0") || $0 == "user 2 offline 2" })
      #expect(!bLog.log.contains { $0.hasPrefix("role") })
      a.destroy()
      b.destroy()
    }

    @Test func `twenty rapid leaves and joins decode every time`() async throws {
      let stage = try Stage()
      let (viewerLog, pictures) = (Recorder(), PictureCounter())
      let host = stage.engine(nil)
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      pictures.observe(viewer)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      for round in 1...20 {
        #expect(viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions()) == 0)
        // Pictures of the round before may still be on their way.
        #expect(await viewerLog.heard("joined show/2", count: round))
        #expect(await pictures.getsMore(1, 2), "round \(round)")
        #expect(viewer.leaveChannel() == 0)
      }
      #expect(await viewerLog.heard("left show", count: 20))
      #expect(viewerLog.log.count { $0 == "joined show/2" } == 20)
      host.destroy()
      viewer.destroy()
    }
  }
}
