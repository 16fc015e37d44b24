import EngineCore
import MediaBase

/// Notices a microphone that hears nothing, by its 10 ms pieces alone: whoever is muted by a switch on the microphone does
/// not know why nobody answers.
struct RecordingWatch {
  /// So much digital silence is told.
  static let silence = MediaDuration.seconds(10 as Int64)
  /// So long without anything louder than `quietPeak` is told.
  static let quiet = MediaDuration.seconds(20 as Int64)
  /// -60 dB of full scale. People who say nothing still breathe and move: quieter than this are microphones whose gain is
  /// turned down.
  static let quietPeak: Int16 = 33

  private var silentFor = MediaDuration.zero
  private var quietFor = MediaDuration.zero
  private var hasToldSilence = false
  private var hasToldQuiet = false

  /// Takes a piece as the microphone has delivered it; what is to be told of it: once, until something is heard again.
  mutating func add(_ frame: AudioFrame) -> EngineWarningCode? {
    let length = MediaDuration.samples(frame.frameCount)
    let peak = frame.samples.reduce(0) { max($0, $1.magnitude) }
    silentFor = peak == 0 ? silentFor + length : .zero
    quietFor = peak <= Self.quietPeak.magnitude ? quietFor + length : .zero
    if peak > 0 { hasToldSilence = false }
    if peak > Self.quietPeak.magnitude { hasToldQuiet = false }
    if silentFor >= Self.silence, !hasToldSilence {
      // That it is quiet too goes without saying.
      (hasToldSilence, hasToldQuiet) = (true, true)
      return .recordAudioSilence
    }
    if quietFor >= Self.quiet, !hasToldQuiet {
      hasToldQuiet = true
      return .recordAudioLowLevel
    }
    return nil
  }
}
