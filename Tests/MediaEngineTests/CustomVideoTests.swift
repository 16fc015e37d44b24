import Foundation
import MediaEngine
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  /// Tracks of the application's own pictures, seen from the other end.
  @Suite struct CustomVideoTests {
    private static func custom(_ track: Int) -> ChannelMediaOptions {
      ChannelMediaOptions(clientRoleType: .broadcaster, publishCustomVideoTrack: true, customVideoTrackID: track)
    }

    private static func scene(camera: Bool = false) throws -> TrackScene {
      try TrackScene { stage, log in stage.engine(log, video: camera, audio: false) }
    }

    @Test func `two connections publish two custom tracks, each channel sees its own, also after an exchange`()
      async throws
    {
      let scene = try Self.scene()
      let (first, second) = (scene.host.createCustomVideoTrack(), scene.host.createCustomVideoTrack())
      #expect(first > 0 && second > 0 && first != second)
      let feeders = [
        TrackFeeder(scene.host, track: first, brightness: 60), TrackFeeder(scene.host, track: second, brightness: 200),
      ]
      #expect(scene.join(scene.a, Self.custom(first)) == 0)
      #expect(scene.join(scene.b, Self.custom(second)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(await scene.seen.sees(200, "b"))
      #expect(scene.seen.all("a") == [60] && scene.seen.all("b") == [200])
      // The number alone, while it is published. Both encoders go on, and a key frame begins with each newcomer.
      #expect(scene.update(ChannelMediaOptions(customVideoTrackID: second), scene.a) == 0)
      #expect(scene.update(ChannelMediaOptions(customVideoTrackID: first), scene.b) == 0)
      #expect(await scene.seen.sees(200, "a"))
      #expect(await scene.seen.sees(60, "b"))
      #expect(scene.seen.all("a") == [60, 200] && scene.seen.all("b") == [60, 200])
      for feeder in feeders { feeder.stop() }
    }

    @Test func `a custom track takes the camera's place and gives it back, as is asked for last`() async throws {
      let scene = try Self.scene(camera: true)
      let track = scene.host.createCustomVideoTrack()
      let feeder = TrackFeeder(scene.host, track: track, brightness: 60)
      #expect(scene.join(scene.a, ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(await scene.seen.sees(0, "a"))
      #expect(scene.update(ChannelMediaOptions(publishCustomVideoTrack: true, customVideoTrackID: track)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      // The camera is used by nobody any more.
      #expect(await scene.log.heard("local video 0,0"))
      #expect(scene.update(ChannelMediaOptions(publishCameraTrack: true)) == 0)
      #expect(await scene.seen.sees(0, "a"))
      // Nobody has been told of an end: the video went on, from another source.
      #expect(!scene.viewerLog.log.contains("video 1 0,5"))
      #expect(scene.update(ChannelMediaOptions(publishCustomVideoTrack: true)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.update(ChannelMediaOptions(publishCustomVideoTrack: false)) == 0)
      #expect(await scene.viewerLog.heard("video 1 0,5"))
      feeder.stop()
    }

    @Test func `a track that two connections publish is encoded once`() async throws {
      let scene = try Self.scene()
      let track = scene.host.createCustomVideoTrack()
      #expect(scene.join(scene.a, Self.custom(track)) == 0)
      #expect(scene.join(scene.b, Self.custom(track)) == 0)
      let feeder = TrackFeeder(scene.host, track: track, brightness: 60)
      #expect(await scene.seen.sees(60, "a", 40))
      #expect(await scene.seen.sees(60, "b", 20))
      feeder.stop()
      let encoded = try #require(scene.host.statistics(of: scene.a)).local.encodedFrames
      #expect(encoded >= 40 && encoded <= feeder.count)
    }

    @Test func `a snapshot of this side is of the track that is published`() async throws {
      let scene = try Self.scene(camera: true)
      let track = scene.host.createCustomVideoTrack()
      let streams = StreamRecorder()
      let feeder = TrackFeeder { [host = scene.host] number in
        _ = host.pushVideoFrame(.flat(60, number, width: 200, height: 100), trackID: track)
      }
      #expect(scene.join(scene.a, Self.custom(track)) == 0)
      #expect(scene.host.addDelegateEx(streams, connection: scene.a) == 0)
      #expect(await scene.seen.sees(60, "a"))
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("track-\(UUID().uuidString).png").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(scene.host.takeSnapshotEx(uid: 0, path: path, connection: scene.a) == 0)
      #expect(await streams.heard("snapshot 0 200x100 0"))
      feeder.stop()
    }

    @Test func `one frame may be given again and again, and to two tracks, and is sent each time`() async throws {
      let scene = try Self.scene()
      let tracks = [scene.host.createCustomVideoTrack(), scene.host.createCustomVideoTrack()]
      let still = VideoFrame.flat(60, 0)
      let codes = Mutex<Set<Int>>([])
      let feeder = TrackFeeder { [host = scene.host] _ in
        let pushed = tracks.map { host.pushVideoFrame(still, trackID: $0) }
        codes.withLock { $0.formUnion(pushed) }
      }
      #expect(scene.join(scene.a, Self.custom(tracks[0])) == 0)
      #expect(scene.join(scene.b, Self.custom(tracks[1])) == 0)
      #expect(await scene.seen.sees(60, "a", 20))
      #expect(await scene.seen.sees(60, "b", 20))
      feeder.stop()
      #expect(codes.withLock { $0 } == [0] && still.captureTime == .zero)
    }

    @Test func `what is captured on a connection is what comes on its track`() async throws {
      let scene = try Self.scene(camera: true)
      let track = scene.host.createCustomVideoTrack()
      let feeder = TrackFeeder { [host = scene.host] number in
        _ = host.pushVideoFrame(.flat(230, number, width: 200, height: 100), trackID: track)
      }
      #expect(scene.join(scene.a, Self.custom(track)) == 0)
      #expect(scene.join(scene.b, ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(await scene.seen.sees(230, "a"))
      #expect(await scene.seen.sees(0, "b"))
      let (own, camera) = (
        try #require(scene.host.statistics(of: scene.a)).local, try #require(scene.host.statistics(of: scene.b)).local
      )
      #expect(own.captureWidth == 200 && own.captureHeight == 100 && own.captureBrightness == .bright)
      #expect(camera.captureWidth == 320 && camera.captureHeight == 180 && camera.captureBrightness == .normal)
      feeder.stop()
    }

    @Test func `a custom track has a smaller stream too`() async throws {
      let scene = try Self.scene()
      let track = scene.host.createCustomVideoTrack()
      let widths = Mutex<[Int]>([])
      scene.viewer.setRemoteVideoFrameObserver { frame in widths.withLock { $0.append(frame.frame.width) } }
      #expect(scene.host.enableDualStreamMode(true) == 0)
      let feeder = TrackFeeder(scene.host, track: track, brightness: 60)
      #expect(scene.join(scene.a, Self.custom(track)) == 0)
      #expect(await eventually { widths.withLock { $0.suffix(5) == [320, 320, 320, 320, 320] } })
      #expect(scene.viewer.setRemoteVideoStreamTypeEx(uid: 1, type: .low, connection: scene.viewerA) == 0)
      #expect(await eventually { widths.withLock { $0.suffix(5) == [160, 160, 160, 160, 160] } })
      feeder.stop()
    }

    @Test func `role, mute and module hold for a custom track, the camera's switch does not`() async throws {
      let scene = try Self.scene()
      let track = scene.host.createCustomVideoTrack()
      let feeder = TrackFeeder(scene.host, track: track, brightness: 60)
      #expect(scene.host.enableLocalVideo(false) == 0)
      #expect(scene.join(scene.a, Self.custom(track)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.host.muteLocalVideoStreamEx(true, connection: scene.a) == 0)
      #expect(await scene.viewerLog.heard("video 1 0,5"))
      #expect(scene.host.muteLocalVideoStreamEx(false, connection: scene.a) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.host.disableVideo() == 0)
      #expect(await scene.viewerLog.heard("video 1 0,5", count: 2))
      #expect(scene.host.enableVideo() == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.update(ChannelMediaOptions(clientRoleType: .audience)) == 0)
      #expect(await scene.viewerLog.heard("user 1 offline 2"))
      scene.seen.clear()
      // Stored, and inert until the role comes back.
      #expect(scene.update(ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      feeder.stop()
    }

    @Test func `a track that is destroyed is published no more, and takes nothing`() async throws {
      let scene = try Self.scene(camera: true)
      let track = scene.host.createCustomVideoTrack()
      let feeder = TrackFeeder(scene.host, track: track, brightness: 60)
      #expect(scene.join(scene.a, Self.custom(track)) == 0)
      #expect(await scene.seen.sees(60, "a"))
      #expect(scene.host.destroyCustomVideoTrack(track) == 0)
      #expect(await scene.viewerLog.heard("video 1 0,5"))
      #expect(scene.host.pushVideoFrame(.flat(60, 0), trackID: track) == -2)
      #expect(scene.host.destroyCustomVideoTrack(track) == -2)
      // Other changes go on as ever, also with the number of the track that is gone; the camera comes when it is asked for.
      #expect(scene.update(ChannelMediaOptions(autoSubscribeVideo: false)) == 0)
      #expect(scene.update(ChannelMediaOptions(publishCustomVideoTrack: true)) == -2)
      scene.seen.clear()
      #expect(scene.update(ChannelMediaOptions(publishCameraTrack: true)) == 0)
      #expect(await scene.seen.sees(0, "a"))
      #expect(scene.host.createCustomVideoTrack() != track)
      feeder.stop()
    }

    @Test func `tracks that there are not, two videos at once and pictures that cannot be are -2 and change nothing`()
      async throws
    {
      let scene = try Self.scene(camera: true)
      let host = scene.host
      let track = host.createCustomVideoTrack()
      for options in [
        Self.custom(0), Self.custom(track + 1), Self.custom(-1), ChannelMediaOptions(publishCustomVideoTrack: true),
        ChannelMediaOptions(publishCameraTrack: true, publishCustomVideoTrack: true, customVideoTrackID: track),
      ] {
        #expect(scene.join(scene.a, options) == -2)
        #expect(host.joinChannel(token: nil, channelID: "c", uid: 1, options: options) == -2)
      }
      #expect(scene.join(scene.a, ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(await scene.seen.sees(0, "a"))
      #expect(scene.update(ChannelMediaOptions(autoSubscribeVideo: false, publishCustomVideoTrack: true)) == -2)
      #expect(scene.update(ChannelMediaOptions(publishCustomVideoTrack: true, customVideoTrackID: track + 1)) == -2)
      #expect(await scene.seen.sees(0, "a"))
      let turned = VideoFrame.flat(60, 0)
      turned.rotation = 45
      let old = VideoFrame.flat(60, 0)
      old.captureTime = MediaInstant(nanoseconds: .min)
      let wide = VideoFrame.flat(60, 0, width: 4_098, height: 2)
      for frame in [turned, old, wide, .flat(60, 0, width: 1, height: 1)] {
        #expect(host.pushVideoFrame(frame, trackID: track) == -2)
      }
      #expect(host.pushVideoFrame(.flat(60, 0), trackID: track) == 0)
      #expect(host.pushVideoFrame(.flat(60, 0), trackID: 0) == -2)
      while host.createCustomVideoTrack() > 0 {}
      #expect(host.createCustomVideoTrack() == -22)
      #expect(host.destroyCustomVideoTrack(track) == 0)
      #expect(host.createCustomVideoTrack() == track + 64)
      host.destroy()
      #expect(host.createCustomVideoTrack() == -7)
      #expect(host.destroyCustomVideoTrack(track) == -7)
      #expect(host.pushVideoFrame(.flat(60, 0), trackID: track) == -7)
    }
  }
}
