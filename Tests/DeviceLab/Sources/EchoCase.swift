import ALSAAudio
import AudioProcessing
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// A room made of the card's loop: what the speaker plays comes into the microphone again, softer and 80 ms later.
enum EchoCase {
  /// What the parts of the room share.
  private struct Room {
    var voice = FarVoice()
    /// On its way through the air, 10 ms at a time.
    var air: [[Int16]] = []
    var times: [MediaInstant] = []
    /// Power that the microphone took in and that was left of it, of each 10 ms.
    var powers: [(heard: Double, left: Double)] = []
  }

  /// The relay's own devices take about 55 ms.
  private static let airFrames = 2
  private static let frameSize = 480

  static func run() throws -> String {
    guard let processor = AudioProcessor(AudioProcessingOptions(controlsGain: false), channelCount: 1) else {
      throw LabFailure("there is no echo canceller")
    }
    let room = Shared()
    let speaker = SpeakerPlayout(name: "hw:Loopback,0,6")
    let ear = MicrophoneSource(name: "hw:Loopback,1,6")
    let air = SpeakerPlayout(name: "hw:Loopback,0,7")
    let microphone = MicrophoneSource(name: "hw:Loopback,1,7")
    defer {
      for source in [microphone, ear] { source.stop() }
      for playout in [air, speaker] { playout.stop() }
    }
    try speaker.start(
      fill: { samples in
        room.state.withLock { $0.voice.fill(samples) }
        processor.render(UnsafeBufferPointer(samples))
      }, onFailure: { _ in })
    try ear.start(sink: { frame in room.carry(frame.samples) }, onFailure: { _ in })
    try air.start(fill: { room.arrive($0) }, onFailure: { _ in })
    try microphone.start(
      sink: { frame in
        let delay = speaker.delay + (MonotonicClock.now() - frame.captureTime)
        room.note(heard: frame.samples, left: processor.capture(frame, delay: delay).samples)
      }, onFailure: { _ in })
    try wait("5 s of echo") { room.state.withLock { $0.powers.count } >= 500 }
    var loss = 0.0
    let end = MonotonicClock.now() + .seconds(30)
    while loss < 25 {
      try check(MonotonicClock.now() < end, "the echo is only \(loss) dB weaker")
      MonotonicClock.sleep(for: .milliseconds(100))
      loss = room.loss(of: 300)
    }
    let delay = processor.echoDelay.map { "\($0.milliseconds) ms" } ?? "unknown"
    return "\((loss * 10).rounded() / 10) dB weaker, \(room.state.withLock { $0.powers.count / 100 }) s; delay \(delay)"
  }

  private final class Shared: Sendable {
    let state = Mutex(Room())

    func carry(_ samples: [Int16]) {
      state.withLock { room in
        if room.air.isEmpty { room.air = Array(repeating: Array(repeating: 0, count: frameSize), count: airFrames) }
        room.air.append(samples.map { $0 / 3 })
        if room.air.count > 20 { room.air.removeFirst() }
      }
    }

    func arrive(_ output: UnsafeMutableBufferPointer<Int16>) {
      let samples = state.withLock { $0.air.isEmpty ? [] : $0.air.removeFirst() }
      for index in output.indices { output[index] = index / 2 < samples.count ? samples[index / 2] : 0 }
    }

    func note(heard: [Int16], left: [Int16]) {
      func power(_ samples: [Int16]) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }
      let powers = (power(heard), power(left))
      state.withLock { $0.powers.append(powers) }
    }

    /// By how many dB the last frames are weaker than what was heard.
    func loss(of count: Int) -> Double {
      let last = state.withLock { Array($0.powers.suffix(count)) }
      let (heard, left) = last.reduce((0, 0)) { ($0.0 + $1.heard, $0.1 + $1.left) }
      return heard > 1e6 ? 10 * log10(heard / max(1, left)) : 0
    }
  }
}

/// Low-passed noise whose loudness changes as that of speech does.
private struct FarVoice {
  private var random = SeededRandom(seed: 5)
  private var low = 0.0
  private var loudness = 0.0
  private var target = 1.0
  private var left = 0

  mutating func fill(_ samples: UnsafeMutableBufferPointer<Int16>) {
    for index in stride(from: 0, to: samples.count - 1, by: 2) {
      if left == 0 {
        left = 4_000 + Int(random.next() % 10_000)
        target = target > 0.5 ? 0.05 : 0.6 + Double(random.next() % 400) / 1_000
      }
      left -= 1
      loudness += (target - loudness) / 900
      low += (Double(random.next() % 2_001) / 1_000 - 1 - low) * 0.25
      samples[index] = Int16(low * loudness * 14_000)
      samples[index + 1] = samples[index]
    }
  }
}
