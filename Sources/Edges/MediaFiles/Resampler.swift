import Glibc

/// Brings sound to another sample rate by windowed sinc filters, one for each position between two input samples. Used by
/// one thread at a time.
struct Resampler {
  private let channelCount: Int
  /// Output samples for `inputStep` input samples; the ratio has no common factor.
  private let phaseCount: Int
  private let inputStep: Int
  private let tapCount: Int
  /// `phaseCount` filters of `tapCount` values.
  private let filters: [Float]
  /// Input that is still needed, interleaved; begins with silence so that the first output is in the filter's middle.
  private var history: [Float]
  private var phase = 0

  /// Zero crossings of the sinc to either side.
  private static let lobes = 8

  init(from inputRate: Int, to outputRate: Int, channelCount: Int) {
    let divisor = Self.greatestCommonDivisor(inputRate, outputRate)
    self.channelCount = channelCount
    phaseCount = outputRate / divisor
    inputStep = inputRate / divisor
    // When the rate goes down, the filter also keeps out what the new rate cannot carry.
    let cutoff = min(1, Double(outputRate) / Double(inputRate))
    let halfWidth = Int((Double(Self.lobes) / cutoff).rounded(.up))
    tapCount = 2 * halfWidth
    history = [Float](repeating: 0, count: (halfWidth - 1) * channelCount)
    filters = Self.makeFilters(phaseCount: phaseCount, halfWidth: halfWidth, cutoff: cutoff * 0.95)
  }

  /// Input samples of each channel that must be added before `frameCount` more can come out.
  func inputNeeded(for frameCount: Int) -> Int {
    let last = (phase + (frameCount - 1) * inputStep) / phaseCount
    return max(0, last + tapCount - history.count / channelCount)
  }

  mutating func add(_ samples: [Int16]) {
    history.reserveCapacity(history.count + samples.count)
    for sample in samples { history.append(Float(sample)) }
  }

  /// Takes `frameCount` samples of each channel out, interleaved; silence stands in for input that was not added.
  mutating func take(frameCount: Int) -> [Int16] {
    let missing = inputNeeded(for: frameCount)
    if missing > 0 { history.append(contentsOf: repeatElement(0, count: missing * channelCount)) }
    var output: [Int16] = []
    output.reserveCapacity(frameCount * channelCount)
    var start = 0
    for _ in 0..<frameCount {
      for channel in 0..<channelCount {
        output.append(Int16(max(-32_768, min(32_767, value(at: start, channel: channel).rounded()))))
      }
      phase += inputStep
      start += phase / phaseCount
      phase %= phaseCount
    }
    history.removeFirst(min(start * channelCount, history.count))
    return output
  }

  private func value(at start: Int, channel: Int) -> Float {
    var sum: Float = 0
    var sample = start * channelCount + channel
    for tap in (phase * tapCount)..<((phase + 1) * tapCount) {
      sum += filters[tap] * history[sample]
      sample += channelCount
    }
    return sum
  }

  private static func makeFilters(phaseCount: Int, halfWidth: Int, cutoff: Double) -> [Float] {
    var filters: [Float] = []
    filters.reserveCapacity(phaseCount * 2 * halfWidth)
    for phase in 0..<phaseCount {
      var taps: [Double] = []
      for tap in 0..<(2 * halfWidth) {
        let distance = Double(tap - halfWidth + 1) - Double(phase) / Double(phaseCount)
        let window = 0.5 + 0.5 * cos(.pi * distance / Double(halfWidth))
        let x = .pi * distance * cutoff
        taps.append(window * (abs(x) < 1e-9 ? 1 : sin(x) / x))
      }
      // Every filter lets a constant through unchanged.
      let sum = taps.reduce(0, +)
      filters.append(contentsOf: taps.map { Float($0 / sum) })
    }
    return filters
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
