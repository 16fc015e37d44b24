import MediaBase
import Synchronization

/// Lets somebody hear their own microphone: listens for a while, plays what it has heard, and listens again. While it plays
/// it does not listen, so that nothing goes round for ever.
final class EchoTest: Sendable {
  private struct State {
    /// Samples of one turn, in interleaved stereo; 0 when no test runs.
    var turnLength = 0
    var recording: [Int16] = []
    /// How much of it has been played; `nil` while it listens.
    var position: Int?
  }

  private static let samplesPerSecond = 2 * 48_000

  private let state = Mutex(State())

  /// Begins with listening.
  func start(seconds: Int) {
    state.withLock { state in
      state = State(turnLength: seconds * Self.samplesPerSecond)
      state.recording.reserveCapacity(state.turnLength)
    }
  }

  /// Ends, and forgets what was heard.
  func stop() { state.withLock { $0 = State() } }

  /// Hears 10 ms of the microphone, on its thread.
  func record(_ frame: AudioFrame) {
    guard state.withLock({ $0.turnLength > 0 && $0.position == nil }) else { return }
    let stereo = frame.converted(toChannelCount: 2).samples
    state.withLock { state in
      guard state.turnLength > 0, state.position == nil else { return }
      state.recording.append(contentsOf: stereo.prefix(state.turnLength - state.recording.count))
      if state.recording.count == state.turnLength { state.position = 0 }
    }
  }

  /// Plays over the next 10 ms, on the playout's thread.
  ///
  /// - Parameter volume: in percent.
  func play(into output: UnsafeMutableBufferPointer<Int16>, volume: Int) {
    state.withLock { state in
      guard let position = state.position else { return }
      let count = min(output.count, state.recording.count - position)
      for index in 0..<count {
        output[index] = Int16(clamping: Int(output[index]) + Int(state.recording[position + index]) * volume / 100)
      }
      state.position = position + count
      guard position + count == state.recording.count else { return }
      state.recording.removeAll(keepingCapacity: true)
      state.position = nil
    }
  }
}
