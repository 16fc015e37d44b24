/// How sound is encoded: the most that each profile uses. The raw values are those of the SDKs.
public enum AudioProfile: Int, Sendable, CaseIterable {
  /// `musicStandard` in live channels at `RTCEngineConfiguration.audioBitrate`, with the microphone's channels;
  /// `speechStandard` if the engine's profile is communication.
  case `default` = 0
  /// Speech up to 12 kHz (sampled at 24 kHz, the next rate of Opus below 32), mono, 18 kbit/s.
  case speechStandard = 1
  /// Music up to 20 kHz, mono, 64 kbit/s.
  case musicStandard = 2
  /// Music, stereo, 80 kbit/s.
  case musicStandardStereo = 3
  /// Music, mono, 96 kbit/s.
  case musicHighQuality = 4
  /// Music, stereo, 128 kbit/s.
  case musicHighQualityStereo = 5
  /// Speech up to 8 kHz (sampled at 16 kHz), mono, 16 kbit/s: for small devices.
  case iot = 6
}
