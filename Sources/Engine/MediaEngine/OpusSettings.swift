import ControlWire
import OpusCodec

/// How the Opus encoder is set up for a profile and a scenario.
struct OpusSettings: Hashable, Sendable {
  /// `nil`: as many as the microphone has.
  var channelCount: Int?
  var bitrate: Int
  var application: OpusApplication
  var bandwidth: OpusBandwidth
  var complexity = 7
  var expectedLossPercent = 5

  init(profile: AudioProfile, scenario: AudioScenario, channelProfile: ChannelProfile, defaultBitrate: Int) {
    switch profile {
    case .default where channelProfile == .communication:
      (channelCount, bitrate, application, bandwidth) = (nil, min(defaultBitrate, 48_000), .voice, .full)
    case .default: (channelCount, bitrate, application, bandwidth) = (nil, defaultBitrate, .voice, .full)
    case .speechStandard: (channelCount, bitrate, application, bandwidth) = (1, 18_000, .voice, .superwide)
    case .musicStandard: (channelCount, bitrate, application, bandwidth) = (1, 64_000, .audio, .full)
    case .musicStandardStereo: (channelCount, bitrate, application, bandwidth) = (2, 80_000, .audio, .full)
    case .musicHighQuality: (channelCount, bitrate, application, bandwidth) = (1, 96_000, .audio, .full)
    case .musicHighQualityStereo: (channelCount, bitrate, application, bandwidth) = (2, 128_000, .audio, .full)
    case .iot: (channelCount, bitrate, application, bandwidth) = (1, 16_000, .voice, .wide)
    }
    switch scenario {
    case .default, .chatRoom: break
    case .gameStreaming: (application, complexity) = (.audio, 10)
    case .chorus: (application, expectedLossPercent) = (.lowDelay, 0)
    case .meeting: (application, expectedLossPercent) = (.voice, 15)
    case .aiServer, .aiClient: (application, expectedLossPercent) = (.voice, 30)
    }
  }
}
