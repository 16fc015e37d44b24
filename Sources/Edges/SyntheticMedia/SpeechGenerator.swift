import Glibc
import MediaBase

/// Something with the rhythm and the spectrum of speech: a buzz like that of the vocal cords through three resonators
/// (formants) that change with every syllable.
struct SpeechGenerator {
  /// Two poles: one formant.
  private struct Resonator {
    var a = 0.0
    var b = 0.0
    var c = 0.0
    var y1 = 0.0
    var y2 = 0.0

    mutating func tune(frequency: Double, bandwidth: Double) {
      c = -exp(-2 * .pi * bandwidth / 48_000)
      b = 2 * exp(-.pi * bandwidth / 48_000) * cos(2 * .pi * frequency / 48_000)
      a = 1 - b - c
    }

    mutating func filter(_ x: Double) -> Double {
      let y = a * x + b * y1 + c * y2
      y2 = y1
      y1 = y
      return y
    }
  }

  private var random: SeededRandom
  private var first = Resonator()
  private var second = Resonator()
  private var third = Resonator()
  /// Samples since the syllable began, of `syllableLength`, of which the first `voicedLength` sound.
  private var position = 0
  private var voicedLength = 1
  private var syllableLength = 1
  private var syllablesLeft = 6
  private var pitch = 120.0
  private var loudness = 1.0
  /// 0 ..< 1 within one period of the buzz.
  private var phase = 0.0

  /// The first three formants of five vowels in hertz.
  private static let vowels: [(Double, Double, Double)] = [
    (730, 1_090, 2_440), (270, 2_290, 3_010), (300, 870, 2_240), (530, 1_840, 2_480), (570, 840, 2_410),
  ]

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    beginSyllable()
  }

  /// The next sample at 48 kHz, -1 ... 1.
  mutating func next() -> Double {
    if position >= syllableLength { beginSyllable() }
    defer { position += 1 }
    let progress = Double(position) / Double(voicedLength)
    // The pitch falls within each syllable.
    phase += pitch * (1.08 - 0.16 * min(progress, 1)) / 48_000
    if phase >= 1 { phase -= 1 }
    let envelope = progress < 1 ? loudness * pow(sin(.pi * progress), 0.5) : 0
    let breath = Double.random(in: -0.05...0.05, using: &random)
    let buzz = (1 - 2 * phase + breath) * envelope
    let sound = third.filter(second.filter(first.filter(buzz)))
    return tanh(sound * 0.14)
  }

  private mutating func beginSyllable() {
    position = 0
    voicedLength = Int.random(in: 6_500...11_500, using: &random)
    var pause = Int.random(in: 1_400...3_000, using: &random)
    syllablesLeft -= 1
    if syllablesLeft <= 0 {
      pause += Int.random(in: 14_000...26_000, using: &random)
      syllablesLeft = Int.random(in: 4...8, using: &random)
    }
    syllableLength = voicedLength + pause
    pitch = Double.random(in: 100...165, using: &random)
    loudness = Double.random(in: 0.6...1, using: &random)
    let vowel = Self.vowels[Int.random(in: 0..<Self.vowels.count, using: &random)]
    first.tune(frequency: vowel.0, bandwidth: 80)
    second.tune(frequency: vowel.1, bandwidth: 100)
    third.tune(frequency: vowel.2, bandwidth: 140)
  }
}
