import LinuxIO
import MediaBase
import OpusCodec
import Synchronization

/// From the microphone to Opus packets: one small thread that joins 10 ms frames to 20 ms, encodes them once and measures
/// how loud they are.
final class AudioSendPipeline: Sendable {
  struct Hooks: Sendable {
    /// 10 ms of the microphone as they are to be sent, on its thread.
    var captured: @Sendable (AudioFrame) -> Void
    var firstCaptured: @Sendable () -> Void
    var firstEncoded: @Sendable () -> Void
    /// Packet, loudness in -dBov, and who sends it.
    var encoded: @Sendable (EncodedAudioFrame, UInt8, [Int]) -> Void
    var failed: @Sendable (String) -> Void
  }

  private struct State: Sendable {
    var frames: [AudioFrame] = []
    var isCapturing = false
    var hasCaptured = false
    var hasEncoded = false
    var connectionIDs: [Int] = []
    var settings: OpusSettings
    var volume = 100
    var isSilenced = false
    var tap: AudioFrameTap?
    var observer: Observer?
    var encodedFrames = 0
    var channelCount = 1
    var deviceDelay: MediaDuration?
  }

  private struct Work: Sendable {
    var frames: [AudioFrame]
    var settings: OpusSettings
    var connectionIDs: [Int]
  }

  private let mailbox: Mailbox<State>
  private let hooks: Hooks
  private let registry: CallbackRegistry
  private let volumes: VolumeObserver
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  /// Sound that waits longer than this many frames of 10 ms is dropped, oldest first.
  private static let longestQueue = 10

  init(settings: OpusSettings, hooks: Hooks, registry: CallbackRegistry, volumes: VolumeObserver) {
    mailbox = Mailbox(State(settings: settings))
    self.volumes = volumes
    self.hooks = hooks
    self.registry = registry
  }

  func start() {
    thread.withLock { thread in
      thread = WorkerThread(name: "rtc-opus") { [self] in registry.call { run() } }
    }
  }

  /// Ends the thread and waits for it.
  func stop() {
    mailbox.close()
    thread.withLock { $0.take() }?.join()
  }

  /// Whether sound counts: off, whatever the microphone still delivers is dropped.
  func setCapturing(_ isCapturing: Bool) {
    mailbox.access { state in
      state.isCapturing = isCapturing
      state.hasCaptured = false
      state.hasEncoded = false
      if !isCapturing {
        state.frames.removeAll()
        state.deviceDelay = nil
      }
    }
  }

  typealias Observer = @Sendable (ObservedAudioFrame) -> Void

  /// The observer before, to be let go of by the caller.
  func setObserver(_ observer: Observer?) -> Observer? { mailbox.exchange(\.observer, observer) }

  /// Changes who gets the sound before its volume, and what is sent for the mixture.
  func setTap(_ tap: AudioFrameTap?) { mailbox.access { $0.tap = tap } }

  /// How to encode from the next packet on.
  func setSettings(_ settings: OpusSettings) { mailbox.access { $0.settings = settings } }

  /// How loud the microphone counts, in percent.
  func setVolume(_ volume: Int) { mailbox.access { $0.volume = volume } }

  /// Whether silence takes the microphone's place.
  func setSilenced(_ isSilenced: Bool) { mailbox.access { $0.isSilenced = isSilenced } }

  /// Who publishes audio now. Nothing is encoded while nobody does.
  func setTargets(_ connectionIDs: [Int]) { mailbox.access { $0.connectionIDs = connectionIDs } }

  /// Channels of what is encoded.
  var channelCount: Int { mailbox.access { $0.settings.channelCount ?? $0.channelCount } }

  /// From capture to arrival here, smoothed; `nil` while nothing is recorded.
  var deviceDelay: MediaDuration? { mailbox.access { $0.deviceDelay } }

  var encodedFrames: Int { mailbox.access { $0.encodedFrames } }

  /// Takes 10 ms from the microphone, on the microphone's thread.
  func push(_ frame: AudioFrame) { registry.call { take(frame) } }

  private func take(_ frame: AudioFrame) {
    // The last of its samples has just been recorded, as far as the device can know.
    let length = MediaDuration.samples(frame.frameCount)
    let delay = max(.zero, MonotonicClock.now() - frame.captureTime - length)
    let (accepts, isFirst, hasTargets, tap, observer, volume) = mailbox.access { state in
      if state.isCapturing { state.deviceDelay = state.deviceDelay.map { $0 + (delay - $0) / 16 } ?? delay }
      defer { if state.isCapturing { state.hasCaptured = true } }
      return (
        state.isCapturing, !state.hasCaptured, !state.connectionIDs.isEmpty, state.tap, state.observer,
        state.isSilenced ? 0 : state.volume
      )
    }
    guard accepts else { return }
    var frame = tap?.recorded(frame) ?? frame
    if volume != 100 { frame = frame.scaled(toPercent: volume) }
    tap?.addSent(frame)
    volumes.addLocal(frame)
    hooks.captured(frame)
    if let observer {
      let level = frame.samples.withUnsafeBufferPointer { AudioLevel.rootMeanSquare($0) }
      let observed = ObservedAudioFrame(
        position: .recorded, frame: frame, level: AudioLevel.volume(rootMeanSquare: level))
      registry.call { observer(observed) }
    }
    if hasTargets {
      mailbox.post { state in
        if state.frames.count >= Self.longestQueue { state.frames.removeFirst() }
        state.channelCount = frame.channelCount
        state.frames.append(frame)
      }
    }
    if isFirst { hooks.firstCaptured() }
  }

  private func run() {
    let packer = OpusPacker(settings: mailbox.access { $0.settings })
    while let work = next() {
      packer.settings = work.settings
      for frame in work.frames where !work.connectionIDs.isEmpty {
        do throws(OpusCodecError) {
          guard let (packet, level) = try packer.add(frame) else { continue }
          // Counted before it is sent: what is sent is never more than what is encoded.
          let isFirst = count()
          hooks.encoded(packet, level, work.connectionIDs)
          if isFirst { hooks.firstEncoded() }
        } catch {
          hooks.failed("\(error)")
        }
      }
    }
  }

  private func next() -> Work? {
    mailbox.wait { state in
      defer { state.frames.removeAll() }
      return Work(frames: state.frames, settings: state.settings, connectionIDs: state.connectionIDs)
    }
  }

  /// Whether it is the first.
  private func count() -> Bool {
    mailbox.access { state in
      state.encodedFrames += 1
      defer { state.hasEncoded = true }
      return !state.hasEncoded
    }
  }
}
