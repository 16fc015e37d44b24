import EngineCore
import MediaBase
import OpusCodec
import Testing

@testable import MediaEngine

/// What follows from settings, without any thread.
@Suite struct SettingsTests {
  private func settings(_ profile: AudioProfile, _ scenario: AudioScenario = .default) -> OpusSettings {
    OpusSettings(profile: profile, scenario: scenario, channelProfile: .liveBroadcasting, defaultBitrate: 48_000)
  }

  @Test func `audio profiles are what their numbers promise`() {
    #expect(settings(.speechStandard).bitrate == 18_000)
    #expect(settings(.speechStandard).bandwidth == .superwide)
    #expect(settings(.musicStandard).bitrate == 64_000)
    #expect(settings(.musicStandard).channelCount == 1)
    #expect(settings(.musicStandardStereo).bitrate == 80_000)
    #expect(settings(.musicStandardStereo).channelCount == 2)
    #expect(settings(.musicHighQuality).bitrate == 96_000)
    #expect(settings(.musicHighQualityStereo).bitrate == 128_000)
    #expect(settings(.iot).bandwidth == .wide)
    #expect(settings(.default).bitrate == 48_000)
    #expect(settings(.default).channelCount == nil)
  }

  @Test func `scenarios choose the codec's means`() {
    #expect(settings(.musicStandard, .chorus).application == .lowDelay)
    #expect(settings(.speechStandard, .gameStreaming).application == .audio)
    #expect(settings(.musicStandard, .meeting).application == .voice)
    #expect(settings(.default, .aiClient).expectedLossPercent > settings(.default, .meeting).expectedLossPercent)
  }

  @Test(arguments: AudioProfile.allCases, AudioScenario.allCases)
  func `every profile and scenario encodes sound of one and of two channels, within its bit rate`(
    profile: AudioProfile, scenario: AudioScenario
  ) throws {
    let packer = OpusPacker(settings: settings(profile, scenario))
    for channels in [1, 2] {
      var bytes = 0
      for index in 0..<100 {
        let samples = (0..<480 * channels).map { Int16(truncatingIfNeeded: ($0 * 331 + index * 97) % 9_001 - 4_500) }
        let frame = AudioFrame(
          samples: samples, channelCount: channels,
          captureTime: MediaInstant(nanoseconds: Int64(index) * 10_000_000 + Int64(channels) * 10_000_000_000))
        if let (packet, _) = try packer.add(frame) { bytes += packet.data.count }
      }
      #expect(bytes > 0)
      #expect(bytes * 8 < settings(profile, scenario).bitrate * 3 / 2, "\(profile) \(scenario) \(bytes)")
    }
  }

  @Test func `channels are doubled or averaged, and loudness is cut off at the end of the range`() {
    let mono = AudioFrame(samples: [1, -2], channelCount: 1, captureTime: .zero)
    #expect(mono.converted(toChannelCount: 2).samples == [1, 1, -2, -2])
    let stereo = AudioFrame(samples: [100, 300, .max, .max], channelCount: 2, captureTime: .zero)
    #expect(stereo.converted(toChannelCount: 1).samples == [200, .max])
    #expect(stereo.scaled(toPercent: 400).samples == [400, 1_200, .max, .max])
    #expect(stereo.scaled(toPercent: 0).samples == [0, 0, 0, 0])
  }

  @Test func `reports are differences over time, and nothing is reported of what does not run`() {
    var reporter = StatisticsReporter()
    var first = RTCStatistics()
    first.duration = 2
    first.sentBytes = 100_000
    first.sentVideoFrames = 60
    first.sentVideoBytes = 50_000
    first.local.capturedFrames = 60
    var stream = RemoteMediaStatistics(uid: 9)
    stream.receivedVideoFrames = 50
    stream.decodedVideoFrames = 50
    stream.receivedVideoBytes = 25_000
    (stream.videoPacketsReceived, stream.videoPacketsRecovered, stream.videoPacketsLost) = (95, 5, 5)
    first.remote = [stream]
    let reports = reporter.report(first, encoder: VideoEncoderConfiguration(frameRate: 30), uid: 3)
    #expect(reports.connection.txKBitRate == 400)
    #expect(reports.connection.rxPacketLossRate == 10)
    #expect(reports.localVideo?.sentFrameRate == 30)
    #expect(reports.localVideo?.sentBitrate == 200)
    #expect(reports.localAudio == nil)
    #expect(reports.remoteVideo.first?.decoderOutputFrameRate == 25)
    #expect(reports.remoteVideo.first?.packetLossRate == 5)
    #expect(reports.remoteAudio.isEmpty)
    var second = first
    second.duration = 4
    second.remote[0].playedAudioFrames = 180
    second.remote[0].concealedAudioFrames = 20
    second.remote[0].receivedAudioPackets = 90
    let later = reporter.report(second, encoder: VideoEncoderConfiguration(), uid: 3)
    #expect(later.connection.txKBitRate == 0)
    #expect(later.localVideo == nil)
    #expect(later.remoteVideo.isEmpty)
    #expect(later.remoteAudio.first?.audioLossRate == 10)
    #expect(later.remoteAudio.first?.totalFrozenTime == 2_000)
    #expect(later.remoteAudio.first?.quality == 4)
  }

  @Test func `turning a module on again unmutes what mute calls had muted, not what options say`() {
    let handle = ConnectionHandle(
      id: 1, isDefault: true, requested: RTCConnection(channelID: "a", localUID: 1), delegate: nil, joinSuccess: nil)
    var connection = ConnectionIntent(
      handle: handle, options: ChannelMediaOptions(autoSubscribeVideo: false), role: .broadcaster,
      profile: .liveBroadcasting, token: "")
    connection.isVideoMuted = true
    connection.exceptions[7] = ConnectionIntent.SubscriptionException(video: false)
    connection.resetVideoMutes()
    #expect(!connection.isVideoMuted)
    #expect(!connection.subscribeVideo)
    #expect(connection.exceptions.isEmpty)
    connection.subscribeVideo = true
    connection.muteEverybody(\.video, mute: true)
    connection.resetVideoMutes()
    #expect(connection.subscribeVideo)
  }

  @Test func `only an audience of a live channel is held back`() {
    func delay(_ role: ClientRole, _ profile: ChannelProfile, _ level: AudienceLatencyLevel) -> Int64 {
      let handle = ConnectionHandle(
        id: 1, isDefault: true, requested: RTCConnection(channelID: "a", localUID: 1), delegate: nil, joinSuccess: nil)
      return ConnectionIntent(
        handle: handle, options: ChannelMediaOptions(audienceLatencyLevel: level), role: role, profile: profile,
        token: ""
      ).minimumDelay.milliseconds
    }
    #expect(delay(.audience, .liveBroadcasting, .lowLatency) == 200)
    #expect(delay(.audience, .liveBroadcasting, .ultraLowLatency) == 20)
    #expect(delay(.broadcaster, .liveBroadcasting, .lowLatency) == 20)
    #expect(delay(.audience, .communication, .lowLatency) == 20)
  }
}
