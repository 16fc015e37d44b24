/// Finds the pitch of a voice.
public enum PitchEstimator {
  /// Lowest and highest pitch of voices that are looked for, in Hz.
  private static let range = (lowest: 70, highest: 500)
  /// Every fourth sample is enough for these pitches.
  private static let step = 4

  /// The pitch in Hz of mono samples at 48 kHz; 0 if they have none. 30 ms and more are needed for low voices.
  public static func pitch(of samples: [Int16]) -> Double {
    let reduced = stride(from: 0, to: samples.count - step + 1, by: step).map { start in
      var sum: Float = 0
      for offset in 0..<step { sum += Float(samples[start + offset]) }
      return sum / Float(step)
    }
    let rate = 48_000 / step
    let lags = (rate / range.highest)...(rate / range.lowest)
    guard reduced.count >= lags.upperBound * 2 else { return 0 }
    let length = reduced.count - lags.upperBound
    let energy = correlation(reduced, lag: 0, length: length)
    guard energy > Float(length) * 10_000 else { return 0 }
    let values = lags.map { correlation(reduced, lag: $0, length: length) }
    guard let highest = values.max(), highest > energy * 0.5 else { return 0 }
    // A multiple of the period fits as well as the period itself: the shortest of the peaks that are about as high counts.
    for index in values.indices where values[index] >= highest * 0.9 {
      let isPeak =
        (index == 0 || values[index - 1] <= values[index])
        && (index == values.count - 1 || values[index + 1] <= values[index])
      if isPeak { return Double(rate) / Double(lags.lowerBound + index) }
    }
    return 0
  }

  private static func correlation(_ samples: [Float], lag: Int, length: Int) -> Float {
    var sum: Float = 0
    for index in 0..<length { sum += samples[index] * samples[index + lag] }
    return sum
  }
}
