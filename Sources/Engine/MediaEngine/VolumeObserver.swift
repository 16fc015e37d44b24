import EngineCore
import LinuxIO
import MediaBase
import Synchronization

/// The volumes of all connections, measured on the threads of the sound and reported on the network thread.
final class VolumeObserver: Sendable {
  /// What is known of the local user.
  struct Local: Sendable {
    var volume = 0
    var vad = 0
    var pitch = 0.0
  }

  private struct State {
    var settings: VolumeSettings?
    var meters: [Int: VolumeMeter] = [:]
    var localPeak = 0
    var localSmoothed = 0.0
    var recentSamples: [Int16] = []
  }

  /// Louder than this is a voice, if it has a pitch: about -50 dB.
  private static let voiceThreshold = 55
  /// 40 ms, for the pitch.
  private static let pitchSampleCount = 1_920

  private let state = Mutex(State())
  private let isOn = Atomic<Bool>(false)

  func set(_ settings: VolumeSettings?) {
    state.withLock { $0 = State(settings: settings) }
    isOn.store(settings != nil, ordering: .relaxed)
  }

  var settings: VolumeSettings? { state.withLock { $0.settings } }

  /// A piece of the microphone.
  func addLocal(_ frame: AudioFrame) {
    guard isOn.load(ordering: .relaxed) else { return }
    let level = frame.samples.withUnsafeBufferPointer { AudioLevel.rootMeanSquare($0) }
    state.withLock { state in
      state.localPeak = max(state.localPeak, AudioLevel.volume(rootMeanSquare: level))
      guard state.settings?.reportVAD == true else { return }
      let channels = max(1, frame.channelCount)
      for index in stride(from: 0, to: frame.samples.count, by: channels) {
        state.recentSamples.append(frame.samples[index])
      }
      state.recentSamples.removeFirst(max(0, state.recentSamples.count - Self.pitchSampleCount))
    }
  }

  /// A piece of a remote user's sound.
  func addRemote(_ samples: ArraySlice<Int16>, stream: StreamID, now: MediaInstant) {
    guard isOn.load(ordering: .relaxed) else { return }
    let level = samples.withUnsafeBufferPointer { AudioLevel.rootMeanSquare($0) }
    state.withLock { state in
      state.meters[stream.connectionID, default: VolumeMeter()].add(
        AudioLevel.volume(rootMeanSquare: level), of: stream.uid, now: now)
    }
  }

  func remove(_ stream: StreamID) { state.withLock { $0.meters[stream.connectionID]?.remove(stream.uid) } }

  func removeConnection(_ id: Int) { state.withLock { $0.meters[id] = nil } }

  /// The local user, once for all connections of a tick.
  func takeLocal() -> Local {
    state.withLock { state in
      guard let settings = state.settings else { return Local() }
      state.localSmoothed += (Double(state.localPeak) - state.localSmoothed) / Double(1 + settings.smooth)
      let isLoud = state.localPeak >= Self.voiceThreshold
      state.localPeak = 0
      var local = Local(volume: Int(state.localSmoothed.rounded()))
      if settings.reportVAD {
        local.pitch = isLoud ? PitchEstimator.pitch(of: state.recentSamples) : 0
        local.vad = local.pitch > 0 ? 1 : 0
      }
      return local
    }
  }

  /// The remote users of one connection.
  func report(
    _ connectionID: Int, now: MediaInstant
  ) -> (speakers: [AudioVolumeInfo], total: Int, newActiveSpeaker: UInt?) {
    state.withLock { state in
      guard let settings = state.settings, var meter = state.meters[connectionID] else { return ([], 0, nil) }
      let report = meter.report(smooth: settings.smooth, now: now)
      state.meters[connectionID] = meter
      return (
        report.speakers.map { AudioVolumeInfo(uid: $0.uid, volume: $0.volume) }, report.total, report.newActiveSpeaker
      )
    }
  }
}
