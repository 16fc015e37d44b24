import ALSAAudio
import AudioProcessing
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// A room made of the card's loop: what the speaker plays comes into the microphone again, softer and later.
///
/// The guest only plays and records; what was played and heard is cancelled afterwards, in the order in which it came, since
/// the guest has not the time for both.
enum EchoCase {
  /// Something that the processor was to be told.
  private enum Step: Sendable {
    /// This was handed to the speaker.
    case played([Int16])
    /// This came from the microphone, so long after what was handed to the speaker at the same time.
    case heard(AudioFrame, delay: MediaDuration)
  }

  /// With the loop's own 30 to 60 ms, about 80 ms.
  private static let airFrames = 3

  static func run() throws -> String {
    let (steps, interruptions) = try record(seconds: 13)
    guard let processor = AudioProcessor(AudioProcessingOptions(controlsGain: false), channelCount: 1),
      let listener = AudioProcessor(
        AudioProcessingOptions(noiseSuppression: .off, controlsGain: false), channelCount: 1)
    else { throw LabFailure("there is no echo canceller") }
    let alone = replay(steps, processor, nearFrom: .max)
    let told = processor.echoDelay.map { "\($0.milliseconds) ms" } ?? "unknown"
    let both = replay(steps, listener, nearFrom: 700)
    let loss = decibels(alone[500...], of: \.heard, over: \.left)
    let change = decibels(both[800...], of: \.left, over: \.spoken)
    let words = "\(loss) dB weaker, who speaks too \(change) dB louder; delay \(told), \(interruptions) interruptions"
    try check(loss >= 25 && (-6...3).contains(change), words)
    return words
  }

  /// Plays a voice and records it, `seconds` of it.
  private static func record(seconds: Int) throws -> (steps: [Step], interruptions: Int) {
    let room = Recording()
    let speaker = SpeakerPlayout(name: "hw:Loopback,0,6")
    let microphone = MicrophoneSource(name: "hw:Loopback,1,6")
    defer {
      microphone.stop()
      speaker.stop()
    }
    try speaker.start(fill: { samples in room.play(samples) }, onFailure: { _ in })
    try microphone.start(
      sink: { frame in room.hear(frame, delay: speaker.delay + (MonotonicClock.now() - frame.captureTime)) },
      onFailure: { _ in })
    try wait("\(seconds) s of echo", seconds: 60) { room.heardCount >= seconds * 100 }
    return (room.steps, speaker.statistics.interruptions + microphone.statistics.interruptions)
  }

  private final class Recording: Sendable {
    private struct State {
      var voice = Voice(seed: 5)
      var steps: [Step] = []
      var heardCount = 0
    }

    private let state = Mutex(State())

    var steps: [Step] { state.withLock { $0.steps } }
    var heardCount: Int { state.withLock { $0.heardCount } }

    func play(_ samples: UnsafeMutableBufferPointer<Int16>) {
      state.withLock { state in
        for index in stride(from: 0, to: samples.count - 1, by: 2) {
          samples[index] = Int16(state.voice.next())
          samples[index + 1] = samples[index]
        }
        state.steps.append(.played(Array(samples)))
      }
    }

    func hear(_ frame: AudioFrame, delay: MediaDuration) {
      state.withLock { state in
        state.steps.append(.heard(frame, delay: delay))
        state.heardCount += 1
      }
    }
  }

  /// Powers of 10 ms: in the microphone, of who speaks near it, and after the processor.
  private struct Powers {
    var heard = 0.0
    var spoken = 0.0
    var left = 0.0
  }

  /// What the processor leaves of each 10 ms; from number `nearFrom` on somebody speaks near the microphone.
  private static func replay(_ steps: [Step], _ processor: AudioProcessor, nearFrom: Int) -> [Powers] {
    var (powers, near) = ([Powers](), Voice(seed: 6))
    var air = Array(repeating: [Int16](repeating: 0, count: 480), count: airFrames)
    for step in steps {
      switch step {
      case .played(let samples): samples.withUnsafeBufferPointer { processor.render($0) }
      case .heard(let frame, let delay):
        air.append(frame.samples)
        var power = Powers()
        let mixed = air.removeFirst().map { sample in
          let own = powers.count >= nearFrom ? near.next() : 0
          power.spoken += own * own
          return Int16(clamping: Int(Double(sample) / 3 + own))
        }
        let whole = delay + .milliseconds(Int64(airFrames * 10))
        let left = processor.capture(
          AudioFrame(samples: mixed, channelCount: 1, captureTime: frame.captureTime), delay: whole)
        power.heard = mixed.reduce(0) { $0 + Double($1) * Double($1) }
        power.left = left.samples.reduce(0) { $0 + Double($1) * Double($1) }
        powers.append(power)
      }
    }
    return powers
  }

  private static func decibels(
    _ powers: ArraySlice<Powers>, of above: KeyPath<Powers, Double>, over below: KeyPath<Powers, Double>
  ) -> Double {
    let sums = powers.reduce((0, 0)) { ($0.0 + $1[keyPath: above], $0.1 + $1[keyPath: below]) }
    return (100 * log10(max(1, sums.0) / max(1, sums.1))).rounded() / 10
  }

  /// Low-passed noise whose loudness changes as that of speech does.
  private struct Voice {
    private var random: SeededRandom
    private var low = 0.0
    private var loudness = 0.0
    private var target = 1.0
    private var left = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func next() -> Double {
      if left == 0 {
        left = 4_000 + Int(random.next() % 10_000)
        target = target > 0.5 ? 0.05 : 0.6 + Double(random.next() % 400) / 1_000
      }
      left -= 1
      loudness += (target - loudness) / 900
      low += (Double(random.next() % 2_001) / 1_000 - 1 - low) * 0.25
      return low * loudness * 14_000
    }
  }
}
