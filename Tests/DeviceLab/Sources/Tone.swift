import Glibc

/// A sine, made and recognised.
enum Tone {
  static let frequency = 1_000.0

  /// What a recorded piece has of a tone.
  struct Measurement {
    /// In Hz.
    var frequency: Double
    /// Of the sine, in units of samples.
    var amplitude: Double
    /// Power of all else, in dB beside the tone.
    var rest: Double
  }

  /// A sample of the tone with this amplitude; one channel at a rate.
  static func sample(_ index: Int, rate: Int, amplitude: Double) -> Double {
    amplitude * sin(2 * .pi * frequency * Double(index) / Double(rate))
  }

  /// Fits a tone into samples at 48 kHz: the frequency follows from how the phase moves from the first half to the second.
  static func measure(_ samples: [Int16], near expected: Double = frequency) -> Measurement {
    let half = samples.count / 2
    let first = fit(samples[..<half], expected, from: 0)
    let second = fit(samples[half...], expected, from: half)
    var turn = atan2(second.sine, second.cosine) - atan2(first.sine, first.cosine)
    turn -= 2 * .pi * (turn / (2 * .pi)).rounded()
    let found = expected - turn / (2 * .pi) / (Double(half) / 48_000)
    let all = fit(samples[...], found, from: 0)
    let count = Double(samples.count)
    let amplitude = 2 * (all.cosine * all.cosine + all.sine * all.sine).squareRoot() / count
    let power = samples.reduce(0) { $0 + Double($1) * Double($1) } / count
    let rest = max(1e-9, power - amplitude * amplitude / 2) / max(1e-9, amplitude * amplitude / 2)
    return Measurement(frequency: found, amplitude: amplitude, rest: 10 * log10(rest))
  }

  private static func fit(
    _ samples: ArraySlice<Int16>, _ frequency: Double, from start: Int
  ) -> (cosine: Double, sine: Double) {
    let step = 2 * .pi * frequency / 48_000
    // The phase is turned sample by sample: a guest computes sines slowly.
    var (real, imaginary) = (cos(step * Double(start)), sin(step * Double(start)))
    let (turnReal, turnImaginary) = (cos(step), sin(step))
    var (cosine, sine) = (0.0, 0.0)
    for sample in samples {
      cosine += Double(sample) * real
      sine += Double(sample) * imaginary
      (real, imaginary) = (
        real * turnReal - imaginary * turnImaginary, real * turnImaginary + imaginary * turnReal
      )
    }
    return (cosine, sine)
  }
}
