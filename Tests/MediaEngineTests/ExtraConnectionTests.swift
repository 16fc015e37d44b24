import Foundation
import MediaEngine
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  /// A host in two channels at once, and a viewer in both: what is asked for on one connection has its effect there, seen
  /// from the other side, and none on the other.
  @Suite struct ExtraConnectionTests {
    /// A connection with everything that it is told.
    private struct Link {
      let pair: RTCConnection
      let log = Recorder()
      let streams = StreamRecorder()

      init(_ channel: String, _ uid: UInt) { pair = RTCConnection(channelID: channel, localUID: uid) }

      func join(_ engine: RTCEngine, _ options: ChannelMediaOptions) {
        engine.joinChannelEx(token: nil, connection: pair, delegate: log, options: options)
        engine.addDelegateEx(streams, connection: pair)
      }
    }

    private final class Scene {
      let stage: Stage
      let host: RTCEngine
      let viewer: RTCEngine
      let hostLog = Recorder()
      let hostA = Link("a", 1)
      let hostB = Link("b", 1)
      let a = Link("a", 2)
      let b = Link("b", 2)

      init(dualStream: Bool = false) async throws {
        stage = try Stage()
        host = stage.engine(hostLog)
        viewer = stage.engine(nil, video: false, audio: false)
        if dualStream { host.enableDualStreamMode(true) }
        for link in [hostA, hostB] { link.join(host, Stage.broadcaster) }
        for link in [a, b] {
          link.join(viewer, ChannelMediaOptions())
          #expect(await link.log.heard("first video 1"))
          #expect(await link.log.heard("audio 1 2,6"))
        }
      }

      deinit {
        host.destroy()
        viewer.destroy()
      }

      /// Whether the viewer's connection goes on getting pictures.
      func sees(_ link: Link) async -> Bool {
        let before = pictures(link)
        return await eventually { self.pictures(link) >= before + 5 }
      }

      func pictures(_ link: Link) -> Int { remote(link)?.decodedVideoFrames ?? 0 }

      func remote(_ link: Link) -> RemoteMediaStatistics? {
        viewer.statistics(of: link.pair)?.remote.first { $0.uid == 1 }
      }
    }

    @Test func `what one connection does not send, the other does`() async throws {
      let scene = try await Scene()
      let (host, a, b) = (scene.host, scene.a, scene.b)
      #expect(host.muteLocalVideoStreamEx(true, connection: scene.hostA.pair) == 0)
      #expect(host.muteLocalAudioStreamEx(true, connection: scene.hostB.pair) == 0)
      #expect(await a.log.heard("video 1 0,5"))
      #expect(await a.streams.heard("video muted 1 true"))
      #expect(await b.log.heard("audio 1 0,5"))
      #expect(await b.streams.heard("audio muted 1 true"))
      #expect(await scene.sees(b))
      #expect(!a.log.log.contains("audio 1 0,5") && !b.log.log.contains("video 1 0,5"))
      #expect(host.muteLocalVideoStreamEx(false, connection: scene.hostA.pair) == 0)
      #expect(host.muteLocalAudioStreamEx(false, connection: scene.hostB.pair) == 0)
      #expect(await a.log.heard("video 1 2,6", count: 2))
      #expect(await b.log.heard("audio 1 2,6", count: 2))
      // The microphone is everybody's.
      #expect(host.enableLocalAudio(false) == 0)
      #expect(await a.log.heard("audio 1 0,5"))
      #expect(await b.log.heard("audio 1 0,5", count: 2))
      #expect(await scene.hostLog.heard("local audio 0,0"))
      #expect(host.enableLocalAudio(true) == 0)
      #expect(await a.log.heard("audio 1 2,6", count: 2))
      #expect(await b.log.heard("audio 1 2,6", count: 3))
      // And so is the module.
      #expect(host.disableAudio() == 0)
      #expect(await a.log.heard("audio 1 0,5", count: 2))
      #expect(host.enableAudio() == 0)
      #expect(await a.log.heard("audio 1 2,6", count: 3))
    }

    @Test func `what one connection does not receive, the other does`() async throws {
      let scene = try await Scene()
      let (viewer, a, b) = (scene.viewer, scene.a, scene.b)
      #expect(viewer.muteRemoteVideoStreamEx(uid: 1, mute: true, connection: a.pair) == 0)
      #expect(viewer.muteRemoteAudioStreamEx(uid: 1, mute: true, connection: b.pair) == 0)
      #expect(await a.log.heard("video 1 0,3"))
      #expect(await b.log.heard("audio 1 0,3"))
      #expect(await scene.sees(b))
      #expect(!a.log.log.contains("audio 1 0,3") && !b.log.log.contains("video 1 0,3"))
      #expect(viewer.muteRemoteVideoStreamEx(uid: 1, mute: false, connection: a.pair) == 0)
      #expect(viewer.muteRemoteAudioStreamEx(uid: 1, mute: false, connection: b.pair) == 0)
      #expect(await a.log.heard("video 1 2,4"))
      #expect(await b.log.heard("audio 1 2,4"))
      #expect(viewer.muteAllRemoteAudioStreamsEx(true, connection: a.pair) == 0)
      #expect(viewer.muteAllRemoteVideoStreamsEx(true, connection: b.pair) == 0)
      #expect(await a.log.heard("audio 1 0,3"))
      #expect(await b.log.heard("video 1 0,3"))
      #expect(await scene.sees(a))
      #expect(viewer.muteAllRemoteAudioStreamsEx(false, connection: a.pair) == 0)
      #expect(viewer.muteAllRemoteVideoStreamsEx(false, connection: b.pair) == 0)
      #expect(await a.log.heard("audio 1 2,4"))
      #expect(await b.log.heard("video 1 2,4"))
    }

    @Test func `the default connection's mutes of others act on it alone`() async throws {
      let scene = try await Scene()
      let (log, witness) = (Recorder(), Recorder())
      let viewer = scene.stage.engine(nil, video: false, audio: false)
      viewer.addDelegate(log)
      viewer.joinChannel(token: nil, channelID: "a", uid: 3, options: ChannelMediaOptions())
      #expect(await log.heard("first video 1"))
      #expect(await log.heard("audio 1 2,6"))
      #expect(viewer.muteRemoteVideoStream(uid: 1, mute: true) == 0)
      #expect(viewer.muteRemoteAudioStream(uid: 1, mute: true) == 0)
      #expect(await log.heard("video 1 0,3"))
      #expect(await log.heard("audio 1 0,3"))
      #expect(viewer.muteRemoteAudioStream(uid: 1, mute: false) == 0)
      #expect(await log.heard("audio 1 2,4"))
      #expect(viewer.muteAllRemoteAudioStreams(true) == 0)
      #expect(await log.heard("audio 1 0,3", count: 2))
      #expect(await scene.sees(scene.a))
      // Who has been taken away hears nothing more.
      viewer.removeDelegate(log)
      viewer.addDelegate(witness)
      viewer.leaveChannel()
      #expect(await witness.heard("left a"))
      #expect(!log.log.contains("left a"))
      viewer.destroy()
    }

    @Test func `the role of one connection is its own`() async throws {
      let scene = try await Scene()
      #expect(scene.host.setClientRoleEx(.audience, connection: scene.hostA.pair) == 0)
      #expect(await scene.hostA.log.heard("role 1 to 2"))
      #expect(await scene.a.log.heard("user 1 offline 2"))
      #expect(await scene.sees(scene.b))
      #expect(!scene.hostB.log.log.contains("role 1 to 2"))
      #expect(scene.host.setClientRoleEx(.broadcaster, connection: scene.hostA.pair) == 0)
      #expect(await scene.a.log.heard("user 1 joined", count: 2))
      #expect(await scene.sees(scene.a))
    }

    @Test func `encoder, stream type, snapshot and data of one connection are its own`() async throws {
      let scene = try await Scene(dualStream: true)
      let (viewer, a, b) = (scene.viewer, scene.a, scene.b)
      #expect(viewer.setRemoteVideoStreamTypeEx(uid: 1, type: .low, connection: b.pair) == 0)
      #expect(await b.streams.heard("size 1 160x90"))
      #expect(viewer.setRemoteVideoStreamTypeEx(uid: 1, type: .high, connection: b.pair) == 0)
      let small = VideoEncoderConfiguration(width: 160, height: 90, frameRate: 30, bitrate: 200)
      #expect(scene.host.setVideoEncoderConfigurationEx(small, connection: scene.hostA.pair) == 0)
      #expect(await eventually { scene.remote(a)?.width == 160 && scene.remote(b)?.width == 320 })

      let directory = FileManager.default.temporaryDirectory
      let path = directory.appendingPathComponent("extra-\(UUID().uuidString).png").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(viewer.takeSnapshotEx(uid: 1, path: path, connection: a.pair) == 0)
      #expect(await a.streams.heard("snapshot 1 160x90 0"))
      #expect(FileManager.default.fileExists(atPath: path))

      let stream = scene.host.createDataStreamEx(scene.hostB.pair)
      #expect(stream > 0)
      #expect(scene.host.sendStreamMessageEx(streamID: stream, data: [1, 2, 3], connection: scene.hostB.pair) == 0)
      #expect(await b.streams.heard("data 1/\(stream) [1, 2, 3]"))
      #expect(!a.streams.log.contains { $0.hasPrefix("data") })
    }

    @Test func `whoever takes over another connection's encoding begins with a key frame`() async throws {
      let scene = try await Scene()
      let small = VideoEncoderConfiguration(width: 160, height: 90, frameRate: 30, bitrate: 200)
      let pictures = Mutex<[String: [EncodedVideoFrame]]>([:])
      #expect(scene.host.setVideoEncoderConfigurationEx(small, connection: scene.hostA.pair) == 0)
      #expect(await eventually { scene.remote(scene.a)?.width == 160 })
      #expect(await scene.sees(scene.a))
      scene.viewer.setRemoteEncodedVideoFrameObserver { picture in
        pictures.withLock { $0[picture.connection.channelID, default: []].append(picture.frame) }
      }
      #expect(await scene.sees(scene.a))
      #expect(scene.host.setVideoEncoderConfigurationEx(small, connection: scene.hostB.pair) == 0)
      #expect(await eventually { scene.remote(scene.b)?.width == 160 })
      #expect(await scene.sees(scene.a))
      let (a, b) = pictures.withLock { (Set($0["a"]?.map(\.data) ?? []), $0["b"] ?? []) }
      #expect(try #require(b.first { a.contains($0.data) }).isKeyFrame)
    }

    @Test func `a preview ends when it is told to, unless somebody publishes`() async throws {
      let stage = try Stage()
      let log = Recorder()
      let engine = stage.engine(log)
      #expect(engine.startPreview() == 0)
      #expect(await log.heard("local video 1,0"))
      #expect(engine.stopPreview() == 0)
      #expect(await log.heard("local video 0,0"))
      #expect(engine.startPreview() == 0)
      engine.joinChannel(token: nil, channelID: "a", uid: 1, options: Stage.broadcaster)
      #expect(await log.heard("video published"))
      #expect(engine.stopPreview() == 0)
      #expect(engine.leaveChannel() == 0)
      #expect(await log.heard("left a"))
      // Told by the call itself: it may be later than what the network thread tells.
      #expect(await log.heard("local video 0,0", count: 2))
      #expect(log.log.count { $0 == "local video 0,0" } == 2)
      engine.destroy()
    }

    /// Keeps what the traces say.
    private final class TraceKeeper: RTCEngineDelegate {
      let elapsed = Mutex<[String: Int]>([:])

      func rtcEngine(
        _ engine: RTCEngine, connection: RTCConnection, videoRenderingTracingResultOfUID uid: UInt,
        event: MediaTraceEvent, info: VideoRenderingTracingInfo
      ) { elapsed.withLock { $0[connection.channelID] = info.elapsedTime } }
    }

    @Test func `a trace that is begun anew counts from there, on its connection alone`() async throws {
      let stage = try Stage()
      let (keeper, log) = (TraceKeeper(), Recorder())
      let viewer = stage.engine(log, video: false, audio: false)
      viewer.addDelegate(keeper)
      let extra = RTCConnection(channelID: "b", localUID: 2)
      let other = RTCConnection(channelID: "c", localUID: 2)
      viewer.joinChannel(token: nil, channelID: "a", uid: 2, options: ChannelMediaOptions())
      for pair in [extra, other] {
        viewer.joinChannelEx(token: nil, connection: pair, delegate: nil, options: ChannelMediaOptions())
      }
      for channel in ["a", "b", "c"] { #expect(await log.heard("joined \(channel)/2")) }
      try await Task.sleep(nanoseconds: 500_000_000)
      #expect(viewer.startMediaRenderingTracing() == 0)
      #expect(viewer.startMediaRenderingTracingEx(extra) == 0)
      let host = stage.engine(nil)
      for channel in ["a", "b", "c"] {
        host.joinChannelEx(
          token: nil, connection: RTCConnection(channelID: channel, localUID: 1), delegate: nil,
          options: Stage.broadcaster)
      }
      #expect(await eventually { keeper.elapsed.withLock { $0.count } == 3 })
      let elapsed = keeper.elapsed.withLock { $0 }
      // All three pictures came at nearly the same time.
      let late = elapsed["c"] ?? 0
      #expect(late >= 500)
      for channel in ["a", "b"] { #expect(late - (elapsed[channel] ?? .max) > 250) }
      for engine in [host, viewer] { engine.destroy() }
    }
  }
}
