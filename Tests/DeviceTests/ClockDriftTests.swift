import Glibc
import MediaBase
import TestSupport
import Testing

@testable import ALSAAudio

/// Clocks that run apart, on a virtual clock.
@Suite(.ownThread) struct ClockDriftTests {
  /// Positions of a device every 10 ms, known in steps of 4 ms as those of some cards are.
  private func drift(_ ratio: Double, seconds: Int, seed: UInt64 = 1) -> [Double] {
    var drift = ClockDrift(rate: 48_000)
    var random = SeededRandom(seed: seed)
    var found: [Double] = []
    for tick in 0..<(seconds * 100) {
      let time = Double(tick) / 100 + Double.random(in: 0...0.006, using: &random)
      let seen = (time * 250).rounded(.down) / 250
      drift.add(time: MediaInstant(nanoseconds: Int64(time * 1e9) + 77), position: Int64(seen * 48_000 * ratio))
      if let ratio = drift.ratio { found.append(ratio) }
    }
    return found
  }

  @Test(arguments: [0.99, 0.999, 0.9999, 1, 1.0001, 1.001, 1.01], [1, 2, 3] as [UInt64])
  func `a clock that is off by up to 1 % is known to 0.05 % soon, and to 0.01 % in the end`(
    ratio: Double, seed: UInt64
  ) {
    let found = drift(ratio, seconds: 60, seed: seed)
    #expect(found.count > 5_000)
    #expect(found.dropFirst(500).allSatisfy { abs($0 - ratio) < 0.000_5 })
    #expect(found.suffix(1_000).allSatisfy { abs($0 - ratio) < 0.000_1 })
  }

  @Test func `a clock that changes is followed, and what cannot be a clock is not`() {
    var drift = ClockDrift(rate: 48_000)
    var position = 0.0
    for tick in 0..<12_000 {
      position += 480 * (tick < 6_000 ? 1.002 : 0.998)
      drift.add(time: .zero + .milliseconds(Int64(tick) * 10), position: Int64(position))
      if tick == 5_999 { #expect(drift.ratio.map { abs($0 - 1.002) < 0.000_1 } == true) }
    }
    #expect(drift.ratio.map { abs($0 - 0.998) < 0.000_3 } == true)
    #expect(self.drift(1.2, seconds: 20).isEmpty)
    #expect(self.drift(1, seconds: 2).isEmpty)
    drift.reset()
    #expect(drift.ratio == nil)
    // The same time again and times that go backwards are left out.
    for second in [1, 2, 2, 1, 6] { drift.add(time: .zero + .seconds(Int64(second)), position: Int64(second * 48_000)) }
    #expect(drift.ratio.map { abs($0 - 1) < 1e-6 } == true)
  }

  /// A device whose clock is off plays a tone for a minute and a second one records it: by the system's clock nothing may
  /// pile up, and the tone must stay as it is.
  @Test(arguments: [0.99, 0.999, 1.001, 1.01])
  func `a tone over a clock that is off stays in pitch without clicks and without growing delay`(ratio: Double) throws {
    let player = try #require(RateConverter(from: 48_000, to: 48_000, channelCount: 2))
    let recorder = try #require(RateConverter(from: 48_000, to: 48_000, channelCount: 1))
    var drift = ClockDrift(rate: 48_000)
    var phase = 0
    var (played, recorded): ([Int16], [Int16]) = ([], [])
    var consumed = 0.0
    var queue: [Int] = []
    for tick in 0..<3_000 {
      let time = MediaInstant(nanoseconds: Int64(tick) * 10_000_000)
      drift.add(time: time, position: Int64(Double(tick) * 480 * ratio))
      if let found = drift.ratio {
        player.setDrift(outputRatio: found)
        recorder.setDrift(inputRatio: found)
      }
      // By the system's clock 10 ms come in; by the device's more or less go out.
      var filled: [Int16] = []
      for _ in 0..<480 {
        let sample = Int16(12_000 * sin(2 * .pi * Double(phase) / 48))
        phase += 1
        filled += [sample, sample]
      }
      player.convert(filled, into: &played)
      consumed += 480 * ratio
      let count = min(Int(consumed) & ~1, played.count / 2)
      consumed -= Double(count)
      let piece = (0..<count).map { played[2 * $0] }
      played.removeFirst(2 * count)
      recorder.convert(piece, into: &recorded)
      queue.append(played.count / 2)
    }
    // 30 s of input come out as 30 s, but for what was not known in the first seconds.
    #expect(abs(recorded.count - 30 * 48_000) < Int(48_000 * 4 * abs(ratio - 1)) + 1_000)
    // In the last ten seconds the queue before the device neither grows nor empties.
    let (then, now) = (queue[1_900], queue[2_999])
    #expect(abs(now - then) < 200, "\(then) samples became \(now)")
    let worst =
      (0..<200).map { window -> Double in
        let end = recorded.count - window * 2_400
        return Self.residual(Array(recorded[(end - 2_400)..<end]), rate: 48_000, frequency: 1_000)
      }.max() ?? 1
    // Everything that is not the tone, beside it: -40 dB.
    #expect(worst < 0.01, "\(worst)")
  }

  @Test func `conversion begins without a click`() throws {
    let converter = try #require(RateConverter(from: 48_000, to: 48_000, channelCount: 1))
    var output: [Int16] = []
    for tick in 0..<100 {
      if tick == 50 { converter.setDrift(inputRatio: 1.0005) }
      converter.convert((0..<480).map { Int16(10_000 * sin(2 * .pi * Double(tick * 480 + $0) / 96)) }, into: &output)
    }
    let steps = zip(output, output.dropFirst()).map { abs(Int($1) - Int($0)) }
    #expect(steps.dropFirst(200).max().map { $0 < 700 } == true)
    // Until then samples pass unchanged, only later.
    let first = try #require(output.firstIndex { $0 != 0 })
    for index in 1_000..<20_000 {
      #expect(output[index + first - 1] == Int16(10_000 * sin(2 * .pi * Double(index) / 96)))
    }
  }

  @Test(arguments: [8_000, 44_100, 48_000, 96_000], [1, 2])
  func `a clock that wanders all the time costs neither samples nor memory`(rate: Int, channelCount: Int) throws {
    let converter = try #require(RateConverter(from: rate, to: 48_000, channelCount: channelCount))
    var random = SeededRandom(seed: UInt64(rate))
    var (output, expected, ratio): ([Int16], Double, Double) = ([], 0, 1)
    for tick in 0..<4_000 {
      ratio = min(1.03, max(0.97, ratio + Double.random(in: -0.001...0.001, using: &random)))
      converter.setDrift(inputRatio: ratio)
      let frames = rate / 100 + (tick % 3 - 1)
      if tick >= 10 { expected += Double(frames) * 48_000 / Double(rate) / ratio }
      let before = output.count
      converter.convert((0..<(frames * channelCount)).map { Int16($0 % 100) }, into: &output)
      if tick < 10 { output.removeLast(output.count - before) }
      #expect(output.count % channelCount == 0)
    }
    #expect(abs(Double(output.count / channelCount) - expected) < expected * 0.001 + 500)
  }

  @Test(arguments: [8_000, 16_000, 32_000, 44_100, 96_000])
  func `every rate carries a tone there and back`(rate: Int) throws {
    let there = try #require(RateConverter(from: 48_000, to: rate, channelCount: 1))
    let back = try #require(RateConverter(from: rate, to: 48_000, channelCount: 1))
    var (middle, output): ([Int16], [Int16]) = ([], [])
    for tick in 0..<100 {
      middle.removeAll()
      there.convert((0..<480).map { Int16(10_000 * sin(2 * .pi * Double(tick * 480 + $0) / 48)) }, into: &middle)
      #expect(abs(middle.count - rate / 100) <= rate / 100 / 2)
      back.convert(middle, into: &output)
    }
    #expect(abs(output.count - 48_000) < 480)
    #expect(Self.residual(Array(output.suffix(4_800)), rate: 48_000, frequency: 1_000) < 0.01)
  }

  @Test func `every sample encoding gives back what it was given`() {
    var memory = [UInt8](repeating: 0, count: 64)
    for encoding in SampleEncoding.allCases {
      for sample in [Int16.min, -12_345, -256, -1, 0, 1, 255, 12_345, Int16.max] {
        memory.withUnsafeMutableBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          encoding.write(sample, base, 3)
          let found = encoding.read(base, 3)
          #expect(encoding == .unsigned8 ? found == sample & ~0xFF : found == sample, "\(encoding) \(sample)")
        }
      }
    }
  }

  /// Power that is not the sine's, divided by the sine's.
  private static func residual(_ samples: [Int16], rate: Double, frequency: Double) -> Double {
    let step = 2 * .pi * frequency / rate
    var (cosine, sine, power) = (0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      cosine += Double(sample) * cos(step * Double(index))
      sine += Double(sample) * sin(step * Double(index))
      power += Double(sample) * Double(sample)
    }
    let tone = (cosine * cosine + sine * sine) * 2 / Double(samples.count)
    return max(0, power - tone) / max(1, tone)
  }
}
