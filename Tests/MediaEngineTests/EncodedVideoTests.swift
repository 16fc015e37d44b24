import EngineCore
import LinuxIO
import MediaEngine
import Synchronization
import TestSupport
import Testing
import VPXCodec

extension EngineTests {
  /// Pictures that the application encodes itself, seen from the other end.
  @Suite struct EncodedVideoTests {
    private static func encoded(_ track: Int) -> ChannelMediaOptions {
      ChannelMediaOptions(clientRoleType: .broadcaster, customVideoTrackID: track, publishEncodedVideoTrack: true)
    }

    /// An application with an encoder: it makes a key frame when it is asked to, and no other.
    private final class Encoding: RTCEngineDelegate {
      private struct State {
        var isAsked = false
        var requests: [String] = []
        var keyFrames = 0
        var sent: Set<[UInt8]> = []
      }

      private let state = Mutex(State())
      private let feeder = Mutex<TrackFeeder?>(nil)

      var requests: [String] { state.withLock { $0.requests } }
      var keyFrames: Int { state.withLock { $0.keyFrames } }

      func sent(_ data: [UInt8]) -> Bool { state.withLock { $0.sent.contains(data) } }

      func start(_ engine: RTCEngine, track: Int, brightness: UInt8) throws {
        // VP8Encoder is used by one thread at a time: the feeder's.
        let encoder = Mutex(
          try VP8Encoder(
            configuration: VP8EncoderConfiguration(
              width: 320, height: 180, frameRate: 30, bitrateKilobitsPerSecond: 300)))
        let started = TrackFeeder { [self] number in
          let isAsked = state.withLock { state in
            defer { state.isAsked = false }
            return state.isAsked
          }
          let picture = encoder.withLock {
            try? $0.encode(
              .flat(brightness, number), timestamp: UInt32(number) * 3_000, forceKeyFrame: isAsked)
          }
          // The first one is a key frame by itself: as if it had been made long before.
          guard let picture, number > 0 else { return }
          state.withLock { state in
            if picture.isKeyFrame { state.keyFrames += 1 }
            state.sent.insert(picture.data)
          }
          _ = engine.pushEncodedVideoImage(picture.data, trackID: track)
        }
        feeder.withLock { $0 = started }
      }

      func stop() { feeder.withLock { $0.take() }?.stop() }

      func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, intraRequestReceivedOfTrack trackID: Int) {
        state.withLock { state in
          state.isAsked = true
          state.requests.append("\(connection.channelID) \(trackID)")
        }
      }
    }

    private final class Scene {
      let stage: Stage
      let host: RTCEngine
      let viewer: RTCEngine
      let seen = BrightnessLog()
      let encoding = Encoding()
      let viewerLog = Recorder()
      let a = RTCConnection(channelID: "a", localUID: 1)
      let b = RTCConnection(channelID: "b", localUID: 1)

      init(camera: Bool = false) throws {
        stage = try Stage()
        host = stage.engine(nil, video: camera, audio: false)
        host.addDelegate(encoding)
        viewer = stage.engine(nil, video: false, audio: false)
        seen.observe(viewer)
        watch("a")
        watch("b")
      }

      func watch(_ channel: String, uid: UInt = 2) {
        viewer.joinChannelEx(
          token: nil, connection: RTCConnection(channelID: channel, localUID: uid), delegate: viewerLog,
          options: ChannelMediaOptions())
      }

      func join(_ connection: RTCConnection, _ options: ChannelMediaOptions) -> Int {
        host.joinChannelEx(token: nil, connection: connection, delegate: nil, options: options)
      }

      func update(_ options: ChannelMediaOptions, _ connection: RTCConnection? = nil) -> Int {
        host.updateChannelMediaOptionsEx(options, connection: connection ?? a)
      }

      deinit {
        encoding.stop()
        host.destroy()
        viewer.destroy()
      }
    }

    @Test func `encoded pictures come as they were pushed, and key frames are asked for when somebody needs one`()
      async throws
    {
      let scene = try Scene()
      let foreign = Atomic(0)
      scene.viewer.setRemoteEncodedVideoFrameObserver { [encoding = scene.encoding] picture in
        if !encoding.sent(picture.frame.data) { foreign.add(1, ordering: .relaxed) }
      }
      let track = scene.host.createCustomEncodedVideoTrack()
      #expect(track > 0)
      try scene.encoding.start(scene.host, track: track, brightness: 60)
      #expect(scene.encoding.requests.isEmpty && scene.encoding.keyFrames == 0)
      #expect(scene.join(scene.a, Self.encoded(track)) == 0)
      #expect(await scene.seen.sees(60, "a", 20))
      #expect(scene.encoding.requests.first == "a \(track)" && scene.encoding.keyFrames > 0)
      #expect(scene.seen.all("a") == [60])
      #expect(foreign.load(ordering: .relaxed) == 0)
      #expect(try #require(scene.host.statistics(of: scene.a)).local.encodedFrames == 0)
      // The same track on one more connection: whoever begins needs a key frame, of the same encoder.
      #expect(scene.join(scene.b, Self.encoded(track)) == 0)
      #expect(await scene.seen.sees(60, "b"))
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.encoding.requests.contains("b \(track)"))
      #expect(foreign.load(ordering: .relaxed) == 0)
    }

    @Test func `camera, custom and encoded track take each other's place, as is asked for last`() async throws {
      let scene = try Scene(camera: true)
      let (encoded, custom) = (scene.host.createCustomEncodedVideoTrack(), scene.host.createCustomVideoTrack())
      try scene.encoding.start(scene.host, track: encoded, brightness: 60)
      let feeder = TrackFeeder(scene.host, track: custom, brightness: 200)
      #expect(scene.join(scene.a, ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(scene.join(scene.b, ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(await scene.seen.sees(0, "a"))
      #expect(scene.update(ChannelMediaOptions(customVideoTrackID: encoded, publishEncodedVideoTrack: true)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.update(ChannelMediaOptions(publishCustomVideoTrack: true, customVideoTrackID: custom)) == 0)
      #expect(await scene.seen.sees(200, "a"))
      #expect(scene.update(ChannelMediaOptions(customVideoTrackID: encoded, publishEncodedVideoTrack: true)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.update(ChannelMediaOptions(publishCameraTrack: true)) == 0)
      #expect(await scene.seen.sees(0, "a"))
      #expect(scene.seen.all("a") == [0, 60, 200] && scene.seen.all("b") == [0])
      #expect(!scene.viewerLog.log.contains("video 1 0,5"))
      feeder.stop()
    }

    @Test func `role, mute and the end of a track stop encoded pictures too`() async throws {
      let scene = try Scene()
      let track = scene.host.createCustomEncodedVideoTrack(EncodedVideoTrackOptions(targetBitrate: 300))
      try scene.encoding.start(scene.host, track: track, brightness: 60)
      #expect(scene.join(scene.a, Self.encoded(track)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.host.muteLocalVideoStreamEx(true, connection: scene.a) == 0)
      #expect(await scene.viewerLog.heard("video 1 0,5"))
      #expect(scene.host.muteLocalVideoStreamEx(false, connection: scene.a) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.update(ChannelMediaOptions(clientRoleType: .audience)) == 0)
      #expect(await scene.viewerLog.heard("user 1 offline 2"))
      #expect(scene.update(ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.host.destroyCustomVideoTrack(track) == -2)
      #expect(scene.host.destroyCustomEncodedVideoTrack(track) == 0)
      #expect(await scene.viewerLog.heard("video 1 0,5", count: 2))
      #expect(scene.host.destroyCustomEncodedVideoTrack(track) == -2)
      #expect(scene.update(ChannelMediaOptions(publishEncodedVideoTrack: true)) == -2)
    }

    @Test func `other codecs are -4, what is no picture -2, too much -114, and nothing changes`() throws {
      let scene = try Scene(camera: true)
      let host = scene.host
      for codec in VideoCodecType.allCases where codec != .vp8 {
        #expect(host.createCustomEncodedVideoTrack(EncodedVideoTrackOptions(codecType: codec)) == -4)
      }
      #expect(host.createCustomEncodedVideoTrack(EncodedVideoTrackOptions(targetBitrate: 9)) == -2)
      #expect(host.createCustomEncodedVideoTrack(EncodedVideoTrackOptions(targetBitrate: 100_001)) == -2)
      let (track, custom) = (host.createCustomEncodedVideoTrack(), host.createCustomVideoTrack())
      // Each kind of track by its own option, and one at once.
      #expect(scene.join(scene.a, Self.encoded(custom)) == -2)
      for options in [
        ChannelMediaOptions(publishCustomVideoTrack: true, customVideoTrackID: track),
        ChannelMediaOptions(publishCameraTrack: true, customVideoTrackID: track, publishEncodedVideoTrack: true),
        ChannelMediaOptions(
          publishCustomVideoTrack: true, customVideoTrackID: track, publishEncodedVideoTrack: true),
      ] { #expect(scene.join(scene.a, options) == -2) }
      #expect(scene.join(scene.a, Self.encoded(track)) == 0)
      #expect(scene.update(ChannelMediaOptions(customVideoTrackID: custom)) == -2)
      let encoder = try VP8Encoder(
        configuration: VP8EncoderConfiguration(width: 320, height: 180, frameRate: 30, bitrateKilobitsPerSecond: 300))
      let picture = try #require(try encoder.encode(.flat(60, 0), timestamp: 0)).data
      func push(_ data: [UInt8], _ info: EncodedVideoFrameInfo = EncodedVideoFrameInfo(), track id: Int? = nil) -> Int {
        host.pushEncodedVideoImage(data, info: info, trackID: id ?? track)
      }
      #expect(push(picture, EncodedVideoFrameInfo(codecType: .h264)) == -4)
      #expect(push(picture + [UInt8](repeating: 0, count: 512 * 1_024)) == -114)
      #expect(push([]) == -2)
      #expect(push(Array(picture.prefix(9))) == -2)
      #expect(push([0, 0, 0, 1, 2, 3, 4, 5, 6, 7]) == -2)
      #expect(push(picture, EncodedVideoFrameInfo(captureTime: MediaInstant(nanoseconds: 1))) == -2)
      #expect(push(picture, track: custom) == -2)
      #expect(push(picture, track: 0) == -2)
      #expect(host.pushVideoFrame(.flat(60, 0), trackID: track) == -2)
      #expect(push(picture) == 0)
      host.destroy()
      #expect(push(picture) == -7)
      #expect(host.createCustomEncodedVideoTrack() == -7)
      #expect(host.destroyCustomEncodedVideoTrack(track) == -7)
    }
  }
}
