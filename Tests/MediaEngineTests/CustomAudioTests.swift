import MediaEngine
import SyntheticMedia
import TestSupport
import Testing

extension EngineTests {
  /// Tracks of the application's own sound, heard at the other end. The microphone is a tone of 800 Hz.
  @Suite struct CustomAudioTests {
    private static func custom(_ track: Int, microphone: Bool) -> ChannelMediaOptions {
      ChannelMediaOptions(
        publishMicrophoneTrack: microphone, clientRoleType: .broadcaster, publishCustomAudioTrack: true,
        publishCustomAudioTrackID: track)
    }

    private static func scene(microphone: Bool = true) throws -> TrackScene {
      try TrackScene { stage, log in
        RTCEngine(
          configuration: RTCEngineConfiguration(
            server: stage.url, videoSource: nil,
            audioSource: microphone ? ToneSource(signal: .sine(frequency: 800)) : nil), delegate: log)
      }
    }

    @Test func `a track and the microphone are heard together, and each alone when the other is not published`()
      async throws
    {
      let scene = try Self.scene()
      let track = scene.host.createCustomAudioTrack()
      #expect(track > 0)
      let feeder = TrackFeeder(scene.host, track: track, tone: 400)
      #expect(scene.join(scene.a, Self.custom(track, microphone: true)) == 0)
      #expect(await scene.tones.hears([400, 800], "a"))
      #expect(scene.update(ChannelMediaOptions(publishMicrophoneTrack: false)) == 0)
      #expect(await scene.tones.hears([400], "a"))
      // The microphone is used by nobody any more.
      #expect(await scene.log.heard("local audio 0,0"))
      #expect(scene.update(ChannelMediaOptions(publishMicrophoneTrack: true, publishCustomAudioTrack: false)) == 0)
      #expect(await scene.tones.hears([800], "a"))
      #expect(scene.update(ChannelMediaOptions(publishCustomAudioTrack: true)) == 0)
      #expect(await scene.tones.hears([400, 800], "a"))
      // All that was one stream that never ended.
      #expect(!scene.viewerLog.log.contains("audio 1 0,5"))
      // Without anything on the track the microphone goes alone.
      feeder.stop()
      #expect(await scene.tones.hears([800], "a"))
    }

    @Test func `two connections publish two tracks, or one track both, and each channel hears its own`() async throws {
      let scene = try Self.scene(microphone: false)
      let (first, second) = (scene.host.createCustomAudioTrack(), scene.host.createCustomAudioTrack())
      let feeders = [
        TrackFeeder(scene.host, track: first, tone: 400),
        TrackFeeder(scene.host, track: second, tone: 1_600, channelCount: 2),
      ]
      #expect(scene.join(scene.a, Self.custom(first, microphone: false)) == 0)
      #expect(scene.join(scene.b, Self.custom(second, microphone: true)) == 0)
      #expect(await scene.tones.hears([400], "a"))
      #expect(await scene.tones.hears([1_600], "b"))
      #expect(scene.tones.all("a") == [400] && scene.tones.all("b") == [1_600])
      #expect(scene.update(ChannelMediaOptions(publishCustomAudioTrackID: first), scene.b) == 0)
      #expect(await scene.tones.hears([400], "b"))
      #expect(await scene.tones.hears([400], "a"))
      for feeder in feeders { feeder.stop() }
    }

    @Test func `a direct track takes the microphone's place, on one connection`() async throws {
      let scene = try Self.scene()
      let track = scene.host.createCustomAudioTrack(type: .direct)
      let feeder = TrackFeeder(scene.host, track: track, tone: 400)
      #expect(scene.join(scene.a, Self.custom(track, microphone: true)) == 0)
      #expect(await scene.tones.hears([400], "a"))
      #expect(!scene.tones.all("a").contains(800))
      #expect(scene.join(scene.b, Self.custom(track, microphone: true)) == -19)
      #expect(scene.join(scene.b, ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(await scene.tones.hears([800], "b"))
      let take = ChannelMediaOptions(publishCustomAudioTrack: true, publishCustomAudioTrackID: track)
      #expect(scene.update(take, scene.b) == -19)
      #expect(scene.update(take, scene.a) == 0)
      #expect(scene.update(ChannelMediaOptions(publishCustomAudioTrack: false), scene.a) == 0)
      #expect(scene.update(take, scene.b) == 0)
      #expect(await scene.tones.hears([400], "b"))
      #expect(await scene.tones.hears([800], "a"))
      feeder.stop()
    }

    @Test func `role, mute and module hold for custom sound, the microphone's switch and volume do not`() async throws {
      let scene = try Self.scene()
      let track = scene.host.createCustomAudioTrack()
      let feeder = TrackFeeder(scene.host, track: track, tone: 400)
      #expect(scene.host.adjustRecordingSignalVolume(0) == 0)
      #expect(scene.join(scene.a, Self.custom(track, microphone: true)) == 0)
      #expect(await scene.tones.hears([400], "a"))
      #expect(scene.host.enableLocalAudio(false) == 0)
      #expect(await scene.log.heard("local audio 0,0"))
      #expect(await scene.tones.hears([400], "a"))
      #expect(!scene.viewerLog.log.contains("audio 1 0,5"))
      #expect(scene.host.muteLocalAudioStreamEx(true, connection: scene.a) == 0)
      #expect(await scene.viewerLog.heard("audio 1 0,5"))
      #expect(scene.host.muteLocalAudioStreamEx(false, connection: scene.a) == 0)
      #expect(await scene.tones.hears([400], "a"))
      #expect(scene.host.disableAudio() == 0)
      #expect(await scene.viewerLog.heard("audio 1 0,5", count: 2))
      #expect(scene.host.enableAudio() == 0)
      #expect(await scene.tones.hears([400], "a"))
      #expect(scene.update(ChannelMediaOptions(clientRoleType: .audience)) == 0)
      #expect(await scene.viewerLog.heard("user 1 offline 2"))
      #expect(scene.update(ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(await scene.tones.hears([400], "a"))
      #expect(!scene.tones.all("a").contains(800))
      feeder.stop()
    }

    @Test func `a destroyed audio track leaves the microphone, and nothing where there is none`() async throws {
      let scene = try Self.scene()
      let (first, second) = (scene.host.createCustomAudioTrack(), scene.host.createCustomAudioTrack())
      let feeders = [
        TrackFeeder(scene.host, track: first, tone: 400), TrackFeeder(scene.host, track: second, tone: 1_600),
      ]
      #expect(scene.join(scene.a, Self.custom(first, microphone: true)) == 0)
      #expect(scene.join(scene.b, Self.custom(second, microphone: false)) == 0)
      #expect(await scene.tones.hears([400, 800], "a"))
      #expect(await scene.tones.hears([1_600], "b"))
      #expect(scene.host.destroyCustomAudioTrack(first) == 0)
      #expect(scene.host.destroyCustomAudioTrack(second) == 0)
      #expect(await scene.tones.hears([800], "a"))
      #expect(await scene.viewerLog.heard("audio 1 0,5"))
      #expect(scene.host.destroyCustomAudioTrack(first) == -2)
      #expect(scene.update(ChannelMediaOptions(publishCustomAudioTrack: true)) == -2)
      for feeder in feeders { feeder.stop() }
    }

    @Test func `audio tracks that there are not and sound that cannot be are -2 and change nothing`() async throws {
      let scene = try Self.scene()
      let host = scene.host
      let (track, video) = (host.createCustomAudioTrack(), host.createCustomVideoTrack())
      for number in [0, -1, video, 99] {
        #expect(scene.join(scene.a, Self.custom(number, microphone: true)) == -2)
      }
      #expect(scene.join(scene.a, ChannelMediaOptions(clientRoleType: .broadcaster)) == 0)
      #expect(scene.update(ChannelMediaOptions(publishMicrophoneTrack: false, publishCustomAudioTrack: true)) == -2)
      #expect(await scene.tones.hears([800], "a"))
      func push(_ count: Int, rate: Int = 48_000, channels: Int = 1, at time: MediaInstant = .zero) -> Int {
        host.pushAudioFrame(
          AudioFrame(
            samples: [Int16](repeating: 1, count: count), sampleRate: rate, channelCount: channels, captureTime: time),
          trackID: track)
      }
      #expect(push(0) == -2)
      #expect(push(4_801) == -2)
      #expect(push(481, channels: 2) == -2)
      #expect(push(480, channels: 0) == -2)
      #expect(push(480, channels: -1) == -2)
      #expect(push(480, channels: 3) == -2)
      #expect(push(480, rate: 44_100) == -2)
      #expect(push(480, at: MediaInstant(nanoseconds: .max)) == -2)
      #expect(push(1) == 0)
      #expect(push(9_600, channels: 2) == 0)
      let frame = AudioFrame(samples: [Int16](repeating: 1, count: 480), captureTime: .zero)
      for number in [0, -1, video] { #expect(host.pushAudioFrame(frame, trackID: number) == -2) }
      host.destroy()
      #expect(host.createCustomAudioTrack() == -7)
      #expect(host.destroyCustomAudioTrack(track) == -7)
      #expect(push(480) == -7)
    }
  }
}
