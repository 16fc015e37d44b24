import LinuxIO
import MediaBase
import MediaEngine
import Synchronization
import SyntheticMedia

/// Measures what is received of each remote user: pictures, their latency by the burnt-in clock, sound.
final class ReceptionMeter: Sendable {
  /// Whose media, and where.
  struct Key: Hashable, Sendable {
    var channel: String
    var uid: UInt
  }

  /// Totals and the newest picture of one user.
  struct Reception: Sendable {
    var frameCount = 0
    var firstFrameTime: MediaInstant?
    var lastFrameTime: MediaInstant?
    /// Between two pictures.
    var longestPause = MediaDuration.zero
    /// Milliseconds from the clock burnt into a picture to its decoding.
    var latencies: [Double] = []
    var width = 0
    var height = 0
    var audioFrameCount = 0
    /// 10 ms pieces of sound louder than silence.
    var audibleFrameCount = 0
    var lastPicture: VideoFrame?
  }

  /// What came within one second.
  struct Sample: Sendable {
    var time: MediaInstant
    var frameCount: Int
    var latency: Double?
    var audibleFrameCount: Int
  }

  private struct State {
    var receptions: [Key: Reception] = [:]
    var reported: [Key: (frames: Int, latencies: Int, audible: Int)] = [:]
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> MediaInstant
  private let onPicturesBegin: @Sendable (Key, MediaInstant) -> Void

  /// A picture after so long without is reported as a new beginning.
  static let gap = MediaDuration.milliseconds(500)

  /// - Parameter onPicturesBegin: called on the decode thread with a user's first picture, and with the first after a gap.
  init(
    now: @escaping @Sendable () -> MediaInstant = { MonotonicClock.now() },
    onPicturesBegin: @escaping @Sendable (Key, MediaInstant) -> Void = { _, _ in }
  ) {
    self.now = now
    self.onPicturesBegin = onPicturesBegin
  }

  /// Takes the engine's observers.
  func attach(to engine: RTCEngine) {
    engine.setRemoteVideoFrameObserver { [self] in receive($0) }
    engine.setAudioFrameObserver { [self] in receive($0) }
  }

  func receive(_ remote: RemoteVideoFrame) {
    let time = now()
    let captured = FrameClock.read(remote.frame)
    let key = Key(channel: remote.connection.channelID, uid: remote.uid)
    let begins = state.withLock { state in
      var reception = state.receptions[key] ?? Reception()
      let pause = reception.lastFrameTime.map { time - $0 }
      let begins = pause.map { $0 > Self.gap } ?? true
      reception.longestPause = max(reception.longestPause, pause ?? .zero)
      reception.frameCount += 1
      reception.firstFrameTime = reception.firstFrameTime ?? time
      reception.lastFrameTime = time
      reception.width = remote.frame.width
      reception.height = remote.frame.height
      reception.lastPicture = remote.frame
      if let captured, captured <= time { reception.latencies.append(Double((time - captured).nanoseconds) / 1e6) }
      state.receptions[key] = reception
      return begins
    }
    if begins { onPicturesBegin(key, time) }
  }

  func receive(_ observed: ObservedAudioFrame) {
    guard case .beforeMixing(let connection, let uid) = observed.position else { return }
    let isAudible = observed.frame.samples.contains { abs(Int($0)) > 200 }
    state.withLock { state in
      let key = Key(channel: connection.channelID, uid: uid)
      state.receptions[key, default: Reception()].audioFrameCount += 1
      if isAudible { state.receptions[key]?.audibleFrameCount += 1 }
    }
  }

  /// Everything so far.
  var receptions: [Key: Reception] { state.withLock { $0.receptions } }

  /// What has come since this was last called, for each user.
  func takeSamples() -> [Key: Sample] {
    let time = now()
    return state.withLock { state in
      var samples: [Key: Sample] = [:]
      for (key, reception) in state.receptions {
        let before = state.reported[key] ?? (0, 0, 0)
        let newLatencies = reception.latencies[before.latencies...].sorted()
        samples[key] = Sample(
          time: time, frameCount: reception.frameCount - before.frames,
          latency: newLatencies.isEmpty ? nil : newLatencies[newLatencies.count / 2],
          audibleFrameCount: reception.audibleFrameCount - before.audible)
        state.reported[key] = (reception.frameCount, reception.latencies.count, reception.audibleFrameCount)
      }
      return samples
    }
  }
}

extension [Double] {
  /// The value that a fraction of all values do not exceed; `nil` if there are none.
  func percentile(_ fraction: Double) -> Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return sorted[Swift.min(sorted.count - 1, Int((Double(sorted.count - 1) * fraction).rounded()))]
  }
}
