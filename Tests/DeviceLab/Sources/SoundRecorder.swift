import ALSAAudio
import LinuxIO
import MediaBase
import Synchronization

/// A microphone with a memory.
final class SoundRecorder: Sendable {
  private struct State {
    var samples: [Int16] = []
    var times: [MediaInstant] = []
    /// How many of the times belong to samples that were taken.
    var takenTimes = 0
    var interruptions: [MediaDeviceError?] = []
    var latest: MediaDuration = .zero
  }

  let source: MicrophoneSource
  private let state = Mutex(State())

  init(_ name: String, channelCount: Int = 1) {
    source = MicrophoneSource(name: name, channelCount: channelCount)
    source.setInterruptionObserver { [weak self] error in self?.state.withLock { $0.interruptions.append(error) } }
  }

  var count: Int { state.withLock { $0.samples.count } }
  var samples: [Int16] { state.withLock { $0.samples } }
  var times: [MediaInstant] { state.withLock { $0.times } }
  var interruptions: [MediaDeviceError?] { state.withLock { $0.interruptions } }

  /// How long after its recording the newest sound came.
  var latestDelay: MediaDuration { state.withLock { $0.latest } }

  func start() throws(MediaDeviceError) {
    try source.start(
      sink: { [weak self] frame in
        self?.state.withLock { state in
          state.samples += frame.samples
          state.times.append(frame.captureTime)
          state.latest = MonotonicClock.now() - frame.captureTime
        }
      }, onFailure: { _ in })
  }

  /// The samples since the last call, which are forgotten.
  func take() -> [Int16] { takeTimed().samples }

  /// The samples since the last call, which are forgotten, and when each 10 ms of them were recorded.
  func takeTimed() -> (samples: [Int16], times: [MediaInstant]) {
    state.withLock { state in
      defer {
        state.samples.removeAll(keepingCapacity: true)
        state.takenTimes = state.times.count
      }
      return (state.samples, Array(state.times[state.takenTimes...]))
    }
  }

  func waitForMore(seconds: Double) throws {
    let before = times.count
    try wait("\(seconds) s of sound", seconds: 60) { times.count >= before + Int(seconds * 100) }
  }
}

/// A speaker that plays a tone without end.
final class TonePlayer: Sendable {
  let playout: SpeakerPlayout
  private let played = Mutex(0)

  static let amplitude = 12_000.0
  /// One period, so that the guest need not compute sines all the time.
  static let period = (0..<48).map { Int16(Tone.sample($0, rate: 48_000, amplitude: amplitude).rounded()) }

  init(_ name: String) { playout = SpeakerPlayout(name: name) }

  /// Times that 10 ms were asked for.
  var turns: Int { played.withLock { $0 } }

  func start() throws(MediaDeviceError) {
    try playout.start(
      fill: { [weak self] samples in
        for index in samples.indices { samples[index] = Self.period[index / 2 % 48] }
        self?.played.withLock { $0 += 1 }
      }, onFailure: { _ in })
  }
}
