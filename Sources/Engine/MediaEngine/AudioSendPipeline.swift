import LinuxIO
import MediaBase
import OpusCodec
import Synchronization

/// From the microphone to Opus packets: one small thread that joins 10 ms frames to 20 ms, encodes them once and measures
/// how loud they are. Tracks of the application's own are added to the microphone, or go alone.
final class AudioSendPipeline: Sendable {
  /// Connections whose sound is the same.
  struct Target: Equatable, Sendable {
    var mix: SoundMix
    var connectionIDs: [Int]
  }

  struct Hooks: Sendable {
    /// 10 ms of the microphone as they are to be sent, on its thread.
    var captured: @Sendable (AudioFrame) -> Void
    var firstCaptured: @Sendable () -> Void
    var firstEncoded: @Sendable () -> Void
    /// Packet, loudness in -dBov, and who sends it.
    var encoded: @Sendable (EncodedAudioFrame, UInt8, Target) -> Void
    /// What, and why.
    var failed: @Sendable (SoundMix, String) -> Void
  }

  /// 10 ms of the microphone or a track.
  private struct Piece: Sendable {
    var id: Int
    var frame: AudioFrame
  }

  private struct State: Sendable {
    var pieces: [Piece] = []
    /// The application's own tracks.
    var tracks: [Int: CustomSoundClock] = [:]
    var isCapturing = false
    var hasCaptured = false
    var hasEncoded = false
    var targets: [Target] = []
    var settings: OpusSettings
    var volume = 100
    var isSilenced = false
    var tap: AudioFrameTap?
    var observer: Observer?
    var encodedFrames = 0
    var channelCount = 1
    var deviceDelay: MediaDuration?

    func isWanted(_ id: Int) -> Bool { targets.contains { $0.mix.contains(id) } }

    mutating func queue(_ frame: AudioFrame, of id: Int) {
      if pieces.count(where: { $0.id == id }) >= longestQueue, let oldest = pieces.firstIndex(where: { $0.id == id }) {
        pieces.remove(at: oldest)
      }
      pieces.append(Piece(id: id, frame: frame))
    }
  }

  private struct Work: Sendable {
    var pieces: [Piece]
    var settings: OpusSettings
    var targets: [Target]
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
        state.pieces.removeAll { $0.id == SoundMix.microphoneID }
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
  func setTargets(_ targets: [Target]) { mailbox.access { $0.targets = targets } }

  /// Which tracks the application has.
  func setTracks(_ tracks: Set<Int>) {
    mailbox.access { state in
      state.tracks = state.tracks.filter { tracks.contains($0.key) }
      for track in tracks where state.tracks[track] == nil { state.tracks[track] = CustomSoundClock() }
      state.pieces.removeAll { $0.id != SoundMix.microphoneID && !tracks.contains($0.id) }
    }
  }

  /// Takes sound of one of the application's tracks; whether there is that track.
  func push(_ frame: AudioFrame, track: Int, now: MediaInstant) -> Bool {
    var isKnown = false
    mailbox.post { state in
      isKnown = state.tracks[track] != nil
      guard isKnown, state.isWanted(track) else { return }
      for piece in state.tracks[track]?.add(frame, now: now) ?? [] { state.queue(piece, of: track) }
    }
    return isKnown
  }

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
        state.isCapturing, !state.hasCaptured, state.isWanted(SoundMix.microphoneID), state.tap, state.observer,
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
        state.channelCount = frame.channelCount
        state.queue(frame, of: SoundMix.microphoneID)
      }
    }
    if isFirst { hooks.firstCaptured() }
  }

  private func run() {
    var encodings: [SoundMix: Encoding] = [:]
    while let work = next() {
      let mixes = Set(work.targets.map(\.mix))
      // The microphone's own is kept: who is muted for a moment does not wait for another encoder.
      encodings = encodings.filter { $0.key == .microphone || mixes.contains($0.key) }
      for target in work.targets {
        let encoding = encodings[target.mix] ?? Encoding(mix: target.mix, settings: work.settings)
        encodings[target.mix] = encoding
        encoding.packer.settings = work.settings
        for piece in work.pieces {
          for frame in encoding.mixer.add(piece.frame, of: piece.id, now: MonotonicClock.now()) {
            encode(frame, encoding.packer, target)
          }
        }
      }
    }
  }

  /// What belongs to one mix, on the encoding thread.
  private final class Encoding {
    let packer: OpusPacker
    var mixer: SoundMixer

    init(mix: SoundMix, settings: OpusSettings) {
      packer = OpusPacker(settings: settings)
      mixer = SoundMixer(mix: mix)
    }
  }

  private func encode(_ frame: AudioFrame, _ packer: OpusPacker, _ target: Target) {
    do throws(OpusCodecError) {
      guard let (packet, level) = try packer.add(frame) else { return }
      // Counted before it is sent: what is sent is never more than what is encoded.
      let isFirst = count(target.mix)
      hooks.encoded(packet, level, target)
      if isFirst { hooks.firstEncoded() }
    } catch {
      hooks.failed(target.mix, "\(error)")
    }
  }

  private func next() -> Work? {
    mailbox.wait { state in
      defer { state.pieces.removeAll() }
      return Work(pieces: state.pieces, settings: state.settings, targets: state.targets)
    }
  }

  /// Whether it is the first of the microphone.
  private func count(_ mix: SoundMix) -> Bool {
    mailbox.access { state in
      state.encodedFrames += 1
      guard mix.microphone else { return false }
      defer { state.hasEncoded = true }
      return !state.hasEncoded
    }
  }
}
