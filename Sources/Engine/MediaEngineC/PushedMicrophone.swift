import Dispatch
import Glibc
import LinuxIO
import MediaBase
import MediaEngine
import Synchronization

/// A microphone whose sound the program brings, in pieces of any length; the engine gets 10 ms at a time.
final class PushedMicrophone: AudioSource {
  fileprivate typealias Sink = @Sendable (AudioFrame) -> Void

  fileprivate struct State {
    var sink: Sink?
    /// Less than 10 ms that wait for more.
    var waiting: [Int16] = []
    var channelCount = 1
    /// Pieces that have not been delivered yet.
    var pieces: [AudioFrame] = []
    /// The thread that delivers them.
    var deliverer: UInt?
  }

  fileprivate static let framesPerPiece = 480

  private let state = Mutex(State())
  private let delivery = DispatchGroup()

  var name: String { "the program's sound" }

  func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    state.withLock { state in
      state.sink = sink
      state.waiting = []
    }
  }

  /// Waits for what is being delivered, unless it is called from there.
  func stop() {
    let isInside = state.withLock { state in
      state.sink = nil
      state.pieces = []
      return state.deliverer == UInt(pthread_self())
    }
    if !isInside { delivery.wait() }
  }

  /// Takes over sound. Who pushes while some is being delivered, from another thread or from a callback that hears it,
  /// leaves it to whoever delivers: pieces keep their order, and no lock is held while the engine hears them.
  func push(_ samples: UnsafePointer<Int16>?, frameCount: Int, channelCount: Int) throws(EngineErrorCode) {
    guard let samples, (1...4_800).contains(frameCount), (1...2).contains(channelCount) else { throw .invalidArgument }
    let now = MonotonicClock.now()
    let (isTaken, delivers) = state.withLock { state -> (Bool, Bool) in
      guard state.sink != nil else { return (false, false) }
      state.cut(UnsafeBufferPointer(start: samples, count: frameCount * channelCount), channelCount, now: now)
      guard state.deliverer == nil else { return (true, false) }
      state.deliverer = UInt(pthread_self())
      delivery.enter()
      return (true, true)
    }
    guard isTaken else { throw .notReady }
    guard delivers else { return }
    while let (sink, pieces) = next() {
      for piece in pieces { sink(piece) }
    }
    delivery.leave()
  }

  /// What is to be delivered; `nil` once there is nothing.
  private func next() -> (Sink, [AudioFrame])? {
    state.withLock { state in
      guard let sink = state.sink, !state.pieces.isEmpty else {
        state.deliverer = nil
        return nil
      }
      defer { state.pieces = [] }
      return (sink, state.pieces)
    }
  }
}

extension PushedMicrophone.State {
  /// Adds samples and makes pieces of all that is enough for one.
  fileprivate mutating func cut(_ samples: UnsafeBufferPointer<Int16>, _ newCount: Int, now: MediaInstant) {
    if channelCount != newCount {
      waiting.removeAll(keepingCapacity: true)
      channelCount = newCount
    }
    waiting.append(contentsOf: samples)
    let pieceLength = PushedMicrophone.framesPerPiece * channelCount
    var start = 0
    while waiting.count - start >= pieceLength {
      let piece = Array(waiting[start..<start + pieceLength])
      start += pieceLength
      // What is pushed has just been recorded: its last sample now, the first of each piece before that.
      let later = (waiting.count - start) / channelCount + PushedMicrophone.framesPerPiece
      let age = MediaDuration.microseconds(Int64(later) * 1_000_000 / 48_000)
      pieces.append(AudioFrame(samples: piece, channelCount: channelCount, captureTime: now - age))
    }
    waiting.removeFirst(start)
  }
}
