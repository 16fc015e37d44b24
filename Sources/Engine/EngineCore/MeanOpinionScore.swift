/// How good a conversation sounds, as people would judge it on average, estimated of loss and delay (ITU-T G.107).
public enum MeanOpinionScore {
  /// What is left with neither loss nor delay, on the scale of the E-model, of 100.
  private static let bestRating = 93.2
  /// Lost packets, in percent, that halve what is left; of a decoder that conceals losses (ITU-T G.113 appendix I).
  private static let lossRobustness = 25.1
  /// From this delay on, in milliseconds, people begin to speak at the same time.
  private static let talkerLimit = 177.3

  /// The score times 100: from 100 (bad) to 441 (nothing to complain about).
  ///
  /// - Parameters:
  ///   - lossPercent: sound that had to be made up, 0 to 100.
  ///   - delayMilliseconds: from one mouth to the other ear.
  public static func value(lossPercent: Double, delayMilliseconds: Double) -> Int {
    let loss = min(max(lossPercent, 0), 100)
    let delay = max(delayMilliseconds, 0)
    let delayImpairment = 0.024 * delay + (delay > talkerLimit ? 0.11 * (delay - talkerLimit) : 0)
    let rating = bestRating - delayImpairment - 95 * loss / (loss + lossRobustness)
    guard rating > 0 else { return 100 }
    let score = 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6
    return Int((max(score, 1) * 100).rounded())
  }
}
