import CSpeexDSP

/// Brings sound from one clock to another: between rates, and between clocks of the same rate that run apart
/// (libspeexdsp). Used by one thread.
///
/// Between equal rates it passes samples on as they are, merely later by what the conversion would take, until the clocks
/// turn out to differ; so it can begin converting without a click.
final class RateConverter {
  private let channelCount: Int
  private let inputRate: Int
  private let outputRate: Int
  /// Samples of each channel by which the output is behind.
  let latency: Int
  private var state: OpaquePointer?
  private var isConverting: Bool
  /// What was put in last, when nothing is converted: twice the latency.
  private var recent: [Int16]
  private var ratio = 1.0

  /// Good enough that nothing is heard of it: 70 dB and more.
  private static let quality: Int32 = 4
  /// A clock that is off by less is left to the jitter buffer of whoever receives.
  private static let worthwhile = 0.000_15
  /// Ratios are given in parts of this. The library multiplies two such numbers in 32 bits, and reads beyond its memory
  /// after that has overflowed.
  private static let denominator = 60_000.0

  init?(from inputRate: Int, to outputRate: Int, channelCount: Int) {
    var status: Int32 = 0
    guard
      let state = speex_resampler_init(
        UInt32(channelCount), UInt32(inputRate), UInt32(outputRate), Self.quality, &status), status == 0
    else { return nil }
    self.state = state
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    latency = Int(speex_resampler_get_input_latency(state))
    isConverting = inputRate != outputRate
    recent = [Int16](repeating: 0, count: 2 * latency * channelCount)
  }

  deinit { if let state { speex_resampler_destroy(state) } }

  /// The input's clock runs `inputRatio` times, and the output's `outputRatio` times as fast as it should.
  func setDrift(inputRatio: Double = 1, outputRatio: Double = 1) {
    let wanted = inputRatio / outputRatio
    // Setting it anew costs the time of some samples, and a clock known a little better is not worth it.
    guard abs(wanted - ratio) > Self.worthwhile / 4 else { return }
    if !isConverting {
      guard abs(wanted - 1) > Self.worthwhile else { return }
      begin()
    }
    let numerator = (Double(inputRate) / Double(outputRate) * wanted * Self.denominator).rounded()
    let status = speex_resampler_set_rate_frac(
      state, UInt32(numerator), UInt32(Self.denominator), UInt32(inputRate), UInt32(outputRate))
    if status == 0 { ratio = wanted }
  }

  /// From now on it converts: the filter is filled with what was put in last, so that the output goes on where it is.
  private func begin() {
    isConverting = true
    var ignored: [Int16] = []
    convert(recent, into: &ignored)
    recent = []
  }

  /// Appends to `output` what comes out for `input`, both interleaved.
  func convert(_ input: [Int16], into output: inout [Int16]) {
    guard isConverting else {
      // All but the last `latency` of what has been put in has come out.
      let delay = latency * channelCount
      let all = recent + input
      output.append(contentsOf: all[delay..<(all.count - delay)])
      recent = Array(all.suffix(2 * delay))
      return
    }
    let frames = input.count / channelCount
    let room = Int(Double(frames) * Double(outputRate) / Double(inputRate) * 1.05) + 64
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: room * channelCount))
    var (taken, given) = (UInt32(frames), UInt32(room))
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = input.baseAddress, let target = output.baseAddress else {
          given = 0
          return
        }
        _ = speex_resampler_process_interleaved_int(state, source, &taken, target + start, &given)
      }
    }
    output.removeLast((room - Int(given)) * channelCount)
  }
}
