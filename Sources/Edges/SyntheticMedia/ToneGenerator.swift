import Glibc

/// Makes the samples of a `ToneSignal` at 48 kHz, without a clock.
public struct ToneGenerator {
  private enum Voice {
    case speech(SpeechGenerator)
    case sine(step: Double, phase: Double)
    case silence
  }

  private var voice: Voice

  /// Starts the signal from its beginning.
  public init(signal: ToneSignal) {
    switch signal {
    case .speech(let seed): voice = .speech(SpeechGenerator(seed: seed))
    case .sine(let frequency):
      voice = .sine(step: frequency.isFinite ? 2 * .pi * frequency / 48_000 : 0, phase: 0)
    case .silence: voice = .silence
    }
  }

  /// The next `frameCount` samples of each channel, interleaved; the channels are alike.
  public mutating func next(frameCount: Int, channelCount: Int = 1) -> [Int16] {
    var samples: [Int16] = []
    samples.reserveCapacity(frameCount * channelCount)
    for _ in 0..<frameCount {
      let value = nextValue()
      let sample = Int16(max(-32_767, min(32_767, value * 32_767)))
      for _ in 0..<channelCount { samples.append(sample) }
    }
    return samples
  }

  private mutating func nextValue() -> Double {
    switch voice {
    case .silence: return 0
    case .sine(let step, let phase):
      voice = .sine(step: step, phase: (phase + step).truncatingRemainder(dividingBy: 2 * .pi))
      return 0.25 * sin(phase)
    case .speech(var generator):
      let value = generator.next()
      voice = .speech(generator)
      return value
    }
  }
}
