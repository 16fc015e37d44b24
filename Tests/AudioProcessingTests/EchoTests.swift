import AudioProcessing
import Glibc
import MediaBase
import TestSupport
import Testing

/// A room that returns what is played, computed: no device and no clock.
@Suite struct EchoTests {
  /// Noise whose loudness changes as that of speech does, low-passed; from a seed.
  private struct Voice {
    private var random: SeededRandom
    private var low = 0.0
    private var loudness = 0.0
    private var target = 1.0
    private var left = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func next() -> Double {
      if left == 0 {
        left = Int.random(in: 4_000...14_000, using: &random)
        target = target > 0.5 ? 0.05 : Double.random(in: 0.6...1, using: &random)
      }
      left -= 1
      loudness += (target - loudness) / 900
      low += (Double.random(in: -1...1, using: &random) - low) * 0.25
      return low * loudness * 14_000
    }
  }

  /// What is played and what comes back of it: three reflections, the first after `delay`.
  private struct Room {
    private var played: [Double] = []
    private let delay: Int

    init(delay: MediaDuration) { self.delay = Int(delay.milliseconds) * 48 }

    mutating func play(_ sample: Double) -> Double {
      played.append(sample)
      func past(_ extra: Int) -> Double {
        let index = played.count - 1 - delay - extra
        return index >= 0 ? played[index] : 0
      }
      return 0.4 * past(0) - 0.2 * past(91) + 0.1 * past(313)
    }
  }

  private struct Powers {
    var microphone = 0.0
    var near = 0.0
    var output = 0.0

    static func decibels(_ ratio: Double) -> Double { 10 * log10(max(ratio, 1e-12)) }
  }

  /// Plays far-end sound for `seconds`; from `nearFrom` on somebody speaks here too. Returns powers of each second.
  private func run(
    _ options: AudioProcessingOptions, delay: MediaDuration, told: MediaDuration, seconds: Int, nearFrom: Int = .max,
    channelCount: Int = 1
  ) throws -> [Powers] {
    let processor = try #require(AudioProcessor(options, channelCount: channelCount))
    var (far, near, room) = (Voice(seed: 1), Voice(seed: 2), Room(delay: delay))
    var powers = [Powers](repeating: Powers(), count: seconds)
    for tick in 0..<(seconds * 100) {
      var (played, heard, spoken): ([Int16], [Int16], [Double]) = ([], [], [])
      for _ in 0..<480 {
        let sample = far.next()
        played += [Int16(clamping: Int(sample)), Int16(clamping: Int(sample))]
        let own = tick / 100 >= nearFrom ? near.next() : 0
        spoken.append(own)
        let sum = Int16(clamping: Int(room.play(sample) + own))
        heard += Array(repeating: sum, count: channelCount)
      }
      played.withUnsafeBufferPointer { processor.render($0) }
      let frame = AudioFrame(samples: heard, channelCount: channelCount, captureTime: .zero)
      let output = processor.capture(frame, delay: told)
      let second = tick / 100
      powers[second].microphone += heard.reduce(0) { $0 + Double($1) * Double($1) }
      powers[second].output += output.samples.reduce(0) { $0 + Double($1) * Double($1) }
      powers[second].near += spoken.reduce(0) { $0 + $1 * $1 } * Double(channelCount)
    }
    return powers
  }

  @Test(arguments: [1, 2])
  func `an echo of 80 ms is 25 dB weaker after 5 s`(channelCount: Int) throws {
    let powers = try run(
      AudioProcessingOptions(controlsGain: false), delay: .milliseconds(80), told: .milliseconds(80), seconds: 9,
      channelCount: channelCount)
    let late = powers[5...]
    let loss = Powers.decibels(
      late.reduce(0) { $0 + $1.microphone } / max(1, late.reduce(0) { $0 + $1.output }))
    #expect(loss >= 25, "\(loss) dB")
  }

  @Test(arguments: [30, 60]) func `a delay that is told too short by some tens of milliseconds does no harm`(
    missing: Int64
  ) throws {
    let powers = try run(
      AudioProcessingOptions(controlsGain: false), delay: .milliseconds(140), told: .milliseconds(140 - missing),
      seconds: 9)
    let late = powers[5...]
    let loss = Powers.decibels(
      late.reduce(0) { $0 + $1.microphone } / max(1, late.reduce(0) { $0 + $1.output }))
    #expect(loss >= 20, "\(loss) dB")
  }

  @Test func `who speaks during the echo is heard as loud as before`() throws {
    let powers = try run(
      AudioProcessingOptions(noiseSuppression: .off, controlsGain: false), delay: .milliseconds(80),
      told: .milliseconds(80), seconds: 12, nearFrom: 7)
    let both = powers[8...]
    let change = Powers.decibels(
      both.reduce(0) { $0 + $1.output } / max(1, both.reduce(0) { $0 + $1.near }))
    #expect((-6...3).contains(change), "\(change) dB")
  }

  @Test func `steady noise is suppressed`() throws {
    let processor = try #require(
      AudioProcessor(AudioProcessingOptions(cancelsEcho: false, controlsGain: false), channelCount: 1))
    var random = SeededRandom(seed: 3)
    var (before, after) = (0.0, 0.0)
    for tick in 0..<500 {
      let noise = (0..<480).map { _ in Int16.random(in: -1_000...1_000, using: &random) }
      let output = processor.capture(AudioFrame(samples: noise, captureTime: .zero), delay: .zero)
      guard tick >= 300 else { continue }
      before += noise.reduce(0) { $0 + Double($1) * Double($1) }
      after += output.samples.reduce(0) { $0 + Double($1) * Double($1) }
    }
    #expect(Powers.decibels(before / max(1, after)) > 10)
  }

  @Test func `what is not 10 ms at 48 kHz passes as it is`() throws {
    let processor = try #require(AudioProcessor(AudioProcessingOptions(), channelCount: 1))
    for frame in [
      AudioFrame(samples: [1, 2, 3], captureTime: .zero),
      AudioFrame(samples: Array(repeating: 9, count: 960), channelCount: 2, captureTime: .zero),
      AudioFrame(samples: Array(repeating: 9, count: 480), sampleRate: 44_100, captureTime: .zero),
    ] {
      #expect(processor.capture(frame, delay: .seconds(99)).samples == frame.samples)
    }
    #expect(AudioProcessor(.off, channelCount: 1) == nil)
    #expect(AudioProcessor(AudioProcessingOptions(), channelCount: 3) == nil)
  }
}
