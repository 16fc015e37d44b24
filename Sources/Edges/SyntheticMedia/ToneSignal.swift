/// What a `ToneSource` lets hear.
public enum ToneSignal: Hashable, Sendable {
  /// Voiced syllables of changing vowels with pauses between phrases, about 20 dB below full scale. Equal seeds say the
  /// same.
  case speech(seed: UInt64)
  /// A sine wave of this frequency in hertz, 12 dB below full scale.
  case sine(frequency: Double)
  /// Nothing.
  case silence

  /// A name for people and logs.
  var name: String {
    switch self {
    case .speech: "speech-like tones"
    case .sine(let frequency): "tone of \(frequency) Hz"
    case .silence: "silence"
    }
  }
}
