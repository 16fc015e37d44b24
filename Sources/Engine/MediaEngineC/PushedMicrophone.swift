import LinuxIO
import MediaBase
import MediaEngine
import Synchronization

/// A microphone whose sound the program brings, in pieces of any length; the engine gets 10 ms at a time.
final class PushedMicrophone: AudioSource {
  private struct State {
    var sink: (@Sendable (AudioFrame) -> Void)?
    /// Less than 10 ms that wait for more.
    var waiting: [Int16] = []
    var channelCount = 1
  }

  private static let framesPerPiece = 480

  private let state = Mutex(State())

  var name: String { "the program's sound" }

  func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    state.withLock { $0 = State(sink: sink) }
  }

  func stop() { state.withLock { $0 = State() } }

  /// Takes over sound. The sink runs under the lock, so that `stop()` waits for it.
  func push(_ samples: UnsafePointer<Int16>?, frameCount: Int, channelCount: Int) throws(EngineErrorCode) {
    guard let samples, (1...4_800).contains(frameCount), (1...2).contains(channelCount) else { throw .invalidArgument }
    let now = MonotonicClock.now()
    let isTaken = state.withLock { state in
      guard let sink = state.sink else { return false }
      if state.channelCount != channelCount {
        state.waiting.removeAll(keepingCapacity: true)
        state.channelCount = channelCount
      }
      state.waiting.append(contentsOf: UnsafeBufferPointer(start: samples, count: frameCount * channelCount))
      let pieceLength = Self.framesPerPiece * channelCount
      var start = 0
      while state.waiting.count - start >= pieceLength {
        let piece = Array(state.waiting[start..<start + pieceLength])
        start += pieceLength
        // What is pushed has just been recorded: its last sample now, the first of each piece before that.
        let later = (state.waiting.count - start) / channelCount + Self.framesPerPiece
        let age = MediaDuration.microseconds(Int64(later) * 1_000_000 / 48_000)
        sink(AudioFrame(samples: piece, channelCount: channelCount, captureTime: now - age))
      }
      state.waiting.removeFirst(start)
      return true
    }
    guard isTaken else { throw .notReady }
  }
}
