import EngineCore
import MediaBase
import OpusCodec
import TestSupport
import Testing

@testable import MediaEngine

/// What follows from settings, without any thread.
@Suite(.ownThread) struct SettingsTests {
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

  @Test func `network quality is the worst of loss, round trip, unevenness and what the network carries`() {
    func quality(
      loss: Double = 0, roundTrip: Double? = 20, unevenness: Double? = 10, share: Double? = 1
    ) -> NetworkQuality {
      .worst(lossPercent: loss, roundTrip: roundTrip, unevenness: unevenness, share: share)
    }
    #expect(quality() == .excellent)
    #expect(quality(roundTrip: nil, unevenness: nil, share: nil) == .excellent)
    #expect([0.9, 1, 3, 8, 20, 100].map { quality(loss: $0).rawValue } == [1, 2, 3, 4, 5, 5])
    #expect([99, 100, 200, 400, 800].map { quality(roundTrip: $0).rawValue } == [1, 2, 3, 4, 5])
    #expect([59, 60, 120, 240, 480].map { quality(unevenness: $0).rawValue } == [1, 2, 3, 4, 5])
    #expect([1, 0.75, 0.5, 0.3, 0.1].map { quality(share: $0).rawValue } == [1, 2, 3, 4, 5])
    #expect(quality(loss: 5, roundTrip: 900) == .veryBad)
  }

  @Test func `network quality is of the last two seconds, unknown of what does not run, and down without a connection`()
  {
    var reporter = StatisticsReporter()
    var totals = RTCStatistics()
    func qualities(isReachable: Bool = true) -> [NetworkQualityReport] {
      totals.duration += 2
      return reporter.report(totals, encoder: VideoEncoderConfiguration(), uid: 3, isReachable: isReachable).qualities
    }
    #expect(qualities() == [NetworkQualityReport(uid: 0, tx: .unknown, rx: .unknown)])
    totals.sentAudioFrames = 100
    totals.roundTripMilliseconds = 30
    var stream = RemoteMediaStatistics(uid: 9)
    (stream.videoPacketsReceived, stream.receivedAudioPackets) = (100, 100)
    totals.remote = [stream]
    let good = NetworkQualityReport(uid: 9, tx: .excellent, rx: .unknown)
    #expect(qualities() == [NetworkQualityReport(uid: 0, tx: .excellent, rx: .excellent), good])
    // A tenth of what is sent is lost, and of what comes a quarter.
    totals.sentAudioFrames += 100
    totals.sentPacketLossPercent = 10
    totals.remote[0].receivedAudioPackets += 75
    totals.remote[0].audioPacketsLost += 25
    let worse = NetworkQualityReport(uid: 9, tx: .veryBad, rx: .unknown)
    #expect(qualities() == [NetworkQualityReport(uid: 0, tx: .bad, rx: .veryBad), worse])
    let silent = NetworkQualityReport(uid: 9, tx: .unknown, rx: .unknown)
    #expect(qualities() == [NetworkQualityReport(uid: 0, tx: .unknown, rx: .unknown), silent])
    #expect(qualities(isReachable: false) == [NetworkQualityReport(uid: 0, tx: .down, rx: .down), silent])
  }

  @Test func `held sound comes in order after its delay, also when that changes meanwhile`() {
    func frame(_ number: UInt8) -> EncodedAudioFrame {
      EncodedAudioFrame(data: [number], timestamp: UInt32(number) * 960, sampleCount: 960)
    }
    func at(_ milliseconds: Int64) -> MediaInstant { MediaInstant.zero + .milliseconds(milliseconds) }
    var line = AudioDelayLine()
    func due(_ milliseconds: Int64) -> [UInt8] {
      var numbers: [UInt8] = []
      while let entry = line.pop(now: at(milliseconds)) { numbers += entry.frame.data }
      return numbers
    }
    line.push(frame(1), level: 0, now: at(0))
    #expect(due(0) == [1])
    line.delay = .milliseconds(100)
    line.push(frame(2), level: 0, now: at(20))
    line.push(frame(3), level: 0, now: at(40))
    #expect(line.nextTime == at(120))
    #expect(due(119) == [])
    // Without delay again: what is held keeps its time, and what comes waits for it.
    line.delay = .zero
    line.push(frame(4), level: 0, now: at(60))
    #expect(due(120) == [2])
    #expect(due(140) == [3, 4])
    #expect(line.nextTime == nil)
    line.push(frame(5), level: 0, now: at(160))
    #expect(due(160) == [5])
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

  @Test func `an interactive audience is not held back`() {
    let handle = ConnectionHandle(
      id: 1, isDefault: false, requested: RTCConnection(channelID: "a", localUID: 1), delegate: nil, joinSuccess: nil)
    var options = ChannelMediaOptions(audienceLatencyLevel: .lowLatency, isInteractiveAudience: true)
    var intent = ConnectionIntent(
      handle: handle, options: options, role: .audience, profile: .liveBroadcasting, token: "")
    #expect(intent.minimumDelay.milliseconds == 20)
    options = ChannelMediaOptions(isInteractiveAudience: false)
    intent.merge(options)
    #expect(intent.minimumDelay.milliseconds == 200)
    // What is not set in an update stays.
    intent.merge(ChannelMediaOptions(isInteractiveAudience: true))
    intent.merge(ChannelMediaOptions(autoSubscribeVideo: false))
    #expect(intent.minimumDelay.milliseconds == 20)
  }
}
