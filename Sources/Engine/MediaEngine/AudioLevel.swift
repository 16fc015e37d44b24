import Glibc

/// Loudness of PCM.
enum AudioLevel {
  /// Root mean square of the samples, 0 to 32,768.
  static func rootMeanSquare(_ samples: UnsafeBufferPointer<Int16>) -> Double {
    guard !samples.isEmpty else { return 0 }
    var sum: Int64 = 0
    for sample in samples { sum &+= Int64(sample) &* Int64(sample) }
    return (Double(sum) / Double(samples.count)).squareRoot()
  }

  /// -dBov as RFC 6464 section 3 sends it: 0 is the loudest, 127 is silence.
  static func decibelsBelowOverload(rootMeanSquare: Double) -> UInt8 {
    guard rootMeanSquare > 0 else { return 127 }
    let level = -20 * log10(rootMeanSquare / 32_768)
    return UInt8(level.clamped(to: 0...127).rounded())
  }

  /// 0 (silent) to 255, linear in decibels over the upper 64 of them.
  static func volume(rootMeanSquare: Double) -> Int {
    let below = Int(decibelsBelowOverload(rootMeanSquare: rootMeanSquare))
    return max(0, 255 - below * 4)
  }
}
