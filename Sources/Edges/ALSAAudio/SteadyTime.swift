import MediaBase

/// When pieces of 10 ms that follow each other were recorded, without the jitter of the measurements: each is 10 ms after
/// the one before, and what that is off is made up for slowly. Times never go back.
struct SteadyTime {
  private static let step = MediaDuration.milliseconds(10)
  /// Measurements are not that far off: sound is missing. As far back as this nothing can be missing; the times that were
  /// given were too late, and what is more is made up for no faster.
  private static let gap = MediaDuration.milliseconds(40)

  /// When the next piece begins, if nothing is missing before it.
  private var expected: MediaInstant?

  /// The time of the next piece, which was measured to begin at `measured`.
  mutating func next(_ measured: MediaInstant) -> MediaInstant {
    var time = measured
    if let expected {
      let error = measured - expected
      time = error > Self.gap ? measured : expected + max(error, .zero - Self.gap) / 32
    }
    expected = time + Self.step
    return time
  }
}
