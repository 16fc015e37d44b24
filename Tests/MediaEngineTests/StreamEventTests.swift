import Foundation
import MediaEngine
import PictureFiles
import TestSupport
import Testing

extension EngineTests {
  /// What is told of single streams.
  @Suite struct StreamEventTests {
    @Test func `mute, camera and video module are told apart by others`() async throws {
      let stage = try Stage()
      let log = StreamRecorder()
      let host = stage.engine(nil)
      let viewer = stage.engine(nil, video: false, audio: false)
      viewer.addDelegate(log)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await log.heard("decoded 1 320x180"))
      host.muteLocalAudioStream(true)
      #expect(await log.heard("audio muted 1 true"))
      host.muteLocalVideoStream(true)
      #expect(await log.heard("video muted 1 true"))
      #expect(await log.heard("user state 1 275"))
      host.muteLocalVideoStream(false)
      #expect(await log.heard("video muted 1 false"))
      host.enableLocalVideo(false)
      #expect(await log.heard("local video enabled 1 false"))
      host.disableVideo()
      #expect(await log.heard("video enabled 1 false"))
      host.enableVideo()
      #expect(await log.heard("video enabled 1 true"))
      host.destroy()
      viewer.destroy()
    }

    @Test func `publish and subscribe states reach published and subscribed`() async throws {
      let stage = try Stage()
      let (hostLog, viewerLog) = (StreamRecorder(), StreamRecorder())
      let host = stage.engine(nil)
      let viewer = stage.engine(nil, video: false, audio: false)
      host.addDelegate(hostLog)
      viewer.addDelegate(viewerLog)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await hostLog.heard("publish video 2>3"))
      #expect(await viewerLog.heard("subscribe video 1 2>3"))
      host.muteLocalVideoStream(true)
      #expect(await hostLog.heard("publish video 3>1"))
      #expect(await viewerLog.heard("subscribe video 1 3>1"))
      host.leaveChannel()
      #expect(await hostLog.heard("publish video 1>0"))
      #expect(await viewerLog.heard("subscribe video 1 1>0"))
      host.destroy()
      viewer.destroy()
    }

    @Test func `a first picture is decoded without a canvas, shown only with one, and again on a new one`() async throws
    {
      let stage = try Stage()
      let log = StreamRecorder()
      let (host, viewer) = (stage.engine(nil), stage.engine(nil, video: false, audio: false))
      viewer.addDelegate(log)
      let pictures = PictureCounter()
      pictures.observe(viewer)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await pictures.getsMore(1))
      #expect(await log.heard("audio decoded 1"))
      #expect(await log.heard("size 1 320x180"))
      #expect(await log.heard("trace 1 1"))
      #expect(!log.log.contains("shown 1"))
      viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .closure { _ in }))
      #expect(await log.heard("shown 1"))
      #expect(await log.heard("trace 1 0"))
      viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .closure { _ in }))
      #expect(await log.heard("shown 1", count: 2))
      #expect(log.log.count { $0 == "decoded 1 320x180" } == 1)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `a short pause of sound is followed by no other first sound, and its totals go on`() async throws {
      let stage = try Stage()
      let (log, states) = (StreamRecorder(), Recorder())
      let (host, viewer) = (stage.engine(nil, video: false), stage.engine(states, video: false, audio: false))
      viewer.addDelegate(log)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      func played() -> Int { viewer.statistics()?.remote.first?.playedAudioFrames ?? 0 }
      #expect(await eventually { played() >= 20 })
      for turn in 1...3 {
        let before = played()
        host.muteLocalAudioStream(true)
        #expect(await states.heard("audio 1 0,5", count: turn))
        #expect(played() >= before)
        host.muteLocalAudioStream(false)
        #expect(await states.heard("audio 1 2,6", count: turn + 1))
        #expect(played() >= before)
        #expect(await eventually { played() >= before + 20 })
      }
      #expect(log.log.count { $0 == "audio decoded 1" } == 1)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `packets that have come are counted through a mute of their user`() async throws {
      let stage = try Stage()
      let (log, pictures) = (Recorder(), PictureCounter())
      let (host, viewer) = (stage.engine(nil), stage.engine(log, video: false, audio: false))
      pictures.observe(viewer)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      func received() -> Int { viewer.statistics()?.remote.first?.videoPacketsReceived ?? 0 }
      #expect(await pictures.getsMore(1, 10))
      let before = received()
      #expect(before >= 10)
      viewer.muteRemoteVideoStream(uid: 1, mute: true)
      #expect(await log.heard("video 1 0,3"))
      let muted = received()
      #expect(muted >= before)
      viewer.muteRemoteVideoStream(uid: 1, mute: false)
      #expect(await log.heard("video 1 2,4"))
      #expect(received() > muted)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `data streams reach everybody else in order, and refuse what is beyond their limits`() async throws {
      let stage = try Stage()
      let (log, hostLog) = (StreamRecorder(), Recorder())
      let host = stage.engine(hostLog, video: false)
      let viewer = stage.engine(nil, video: false, audio: false)
      viewer.addDelegate(log)
      #expect(host.createDataStream() == -8)
      #expect(host.sendStreamMessage(streamID: 1, data: [1]) == -8)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(host.createDataStream() == 1)
      #expect(host.createDataStream() == 2)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(viewer.createDataStream() == 1)
      #expect(viewer.sendStreamMessage(streamID: 1, data: [1]) == -5)
      #expect(await hostLog.heard("state 3,1"))
      #expect(await eventually { viewer.connectionState() == .connected })
      #expect(await eventually { viewer.statistics()?.userCount == 1 })
      for number in 1...5 { #expect(host.sendStreamMessage(streamID: 2, data: [UInt8(number), 255]) == 0) }
      #expect(host.sendStreamMessage(streamID: 3, data: [1]) == -2)
      #expect(host.sendStreamMessage(streamID: 1, data: [UInt8](repeating: 0, count: 1_025)) == -114)
      #expect(await log.heard("data 1/2 [5, 255]"))
      #expect(log.log.filter { $0.hasPrefix("data") } == (1...5).map { "data 1/2 [\($0), 255]" })
      var codes: [Int] = []
      for _ in 0..<20 { codes.append(host.sendStreamMessage(streamID: 1, data: [UInt8](repeating: 0, count: 1_024))) }
      #expect(codes.contains(-115))
      for _ in 0..<3 { host.createDataStream() }
      #expect(host.createDataStream() == -116)
      host.destroy()
      viewer.destroy()
    }

    @Test func `snapshots of both sides are pictures; nobody's, unwritable and hasty ones fail as documented`()
      async throws
    {
      let folder = FileManager.default.temporaryDirectory.appending(path: "snapshot-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let stage = try Stage()
      let (hostLog, viewerLog) = (StreamRecorder(), StreamRecorder())
      let (host, viewer) = (stage.engine(nil), stage.engine(nil, video: false, audio: false))
      host.addDelegate(hostLog)
      viewer.addDelegate(viewerLog)
      let (local, remote) = (folder.appending(path: "local.jpg").path, folder.appending(path: "remote.png").path)
      #expect(viewer.takeSnapshot(uid: 1, path: remote) == -8)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await viewerLog.heard("decoded 1 320x180"))
      #expect(viewer.takeSnapshot(uid: 1, path: "/tmp/x.gif") == -2)
      #expect(host.takeSnapshot(uid: 0, path: local) == 0)
      #expect(viewer.takeSnapshot(uid: 1, path: remote) == 0)
      #expect(viewer.takeSnapshot(uid: 1, path: remote) == 0)
      #expect(await viewerLog.heard("snapshot 1 0x0 -3"))
      #expect(await viewerLog.heard("snapshot 1 320x180 0"))
      #expect(await eventually { hostLog.log.contains { $0.hasPrefix("snapshot 0") && $0.hasSuffix(" 0") } })
      #expect(try PNGFile.read(remote).width == 320)
      #expect(try Data(contentsOf: URL(filePath: local)).prefix(3) == Data([0xFF, 0xD8, 0xFF]))
      #expect(viewer.takeSnapshot(uid: 9, path: remote) == 0)
      #expect(await viewerLog.heard("snapshot 9 0x0 -2"))
      #expect(viewer.takeSnapshot(uid: 1, path: "/nowhere/at/all.png") == 0)
      #expect(await viewerLog.heard("snapshot 1 0x0 -1"))
      for engine in [host, viewer] { engine.destroy() }
    }
  }
}
