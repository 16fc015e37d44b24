import MediaBase

extension AudioFrame {
  /// The frame with 1 or 2 channels: both the same, or their mean.
  func converted(toChannelCount count: Int) -> AudioFrame {
    guard count != channelCount else { return self }
    var frame = self
    frame.channelCount = count
    if count == 2 {
      frame.samples = samples.flatMap { [$0, $0] }
    } else {
      frame.samples = (0..<samples.count / 2).map { index -> Int16 in
        let sum = Int(samples[2 * index]) + Int(samples[2 * index + 1])
        return Int16(clamping: sum / 2)
      }
    }
    return frame
  }

  /// The frame made softer or louder; what is too loud is cut off.
  func scaled(toPercent percent: Int) -> AudioFrame {
    var frame = self
    frame.samples = samples.map { Int16(clamping: Int($0) * percent / 100) }
    return frame
  }
}
