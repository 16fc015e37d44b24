import LinuxIO
import MediaBase

/// What belongs to the playout's thread alone: a voice for each remote stream, and the sum of them.
final class AudioMixer: @unchecked Sendable {
  // @unchecked: only `AudioReceivePipeline.fill` touches it, which one playout at a time calls on its thread.

  private let registry: CallbackRegistry
  private let volumes: VolumeObserver
  private var voices: [StreamID: RemoteVoice] = [:]
  /// The sum before it is limited to 16 bits.
  private var sum = [Int32](repeating: 0, count: 2 * RemoteVoice.frameCount)

  init(registry: CallbackRegistry, volumes: VolumeObserver) {
    self.registry = registry
    self.volumes = volumes
  }

  /// What every voice has played since the last call.
  func takeTotals(_ body: (StreamID, ConnectionHandle, AudioReceiveTotals) -> Void) {
    for id in voices.keys {
      guard let totals = voices[id]?.takeTotals(), let handle = voices[id]?.handle else { continue }
      body(id, handle, totals)
    }
  }

  func take(_ inbox: [AudioReceivePipeline.Input]) {
    for input in inbox {
      switch input {
      case .open(let id, let handle): voices[id] = RemoteVoice(handle: handle)
      case .close(let id):
        voices[id] = nil
        volumes.remove(id)
      case .delay(let connectionID, let delay):
        for id in voices.keys where id.connectionID == connectionID { voices[id]?.setMinimumDelay(delay) }
      case .packet(let id, let packet, let receiveTime): voices[id]?.insert(packet, receiveTime: receiveTime)
      }
    }
  }

  /// Adds up 10 ms of all voices into `output`, which has room for 960 samples.
  func mix(
    into output: UnsafeMutableBufferPointer<Int16>, gains: [StreamID: Int], masterGain: Int, tap: AudioFrameTap?,
    observer: (@Sendable (ObservedAudioFrame) -> Void)?
  ) {
    let now = MonotonicClock.now()
    for index in sum.indices { sum[index] = 0 }
    for id in voices.keys {
      guard var samples = voices[id]?.next(now: now), let handle = voices[id]?.handle else {
        volumes.addRemote([], stream: id, now: now)
        continue
      }
      if let tap, tap.takesVoices {
        let frame = AudioFrame(samples: Array(samples), channelCount: 2, captureTime: now)
        samples = tap.voice(frame, handle.connection, id.uid).samples[...]
      }
      volumes.addRemote(samples, stream: id, now: now)
      if let observer {
        observe(Array(samples), .beforeMixing(connection: handle.connection, uid: id.uid), now, observer)
      }
      add(samples, volume: gains[id] ?? 100)
    }
    if masterGain != 100 {
      for index in sum.indices {
        sum[index] = sum[index].multipliedReportingOverflow(by: Int32(masterGain)).partialValue / 100
      }
    }
    for index in 0..<min(output.count, sum.count) { output[index] = Int16(clamping: sum[index]) }
    for index in min(output.count, sum.count)..<output.count { output[index] = 0 }
    if let tap { pass(output, now, through: tap) }
    if let observer { observe(Array(output), .playback, now, observer) }
  }

  /// Puts what a delegate makes of the sound in its place.
  private func pass(
    _ output: UnsafeMutableBufferPointer<Int16>, _ now: MediaInstant, through tap: AudioFrameTap
  ) {
    let frame = tap.played(AudioFrame(samples: Array(output), channelCount: 2, captureTime: now))
    for index in 0..<min(output.count, frame.samples.count) { output[index] = frame.samples[index] }
    tap.addPlayed(frame)
  }

  private func add(_ samples: ArraySlice<Int16>, volume: Int) {
    guard volume > 0 else { return }
    let gain = Int32(volume)
    var index = 0
    for sample in samples where index < sum.count {
      sum[index] &+= gain == 100 ? Int32(sample) : Int32(sample) &* gain / 100
      index += 1
    }
  }

  private func observe(
    _ samples: [Int16], _ position: ObservedAudioFrame.Position, _ now: MediaInstant,
    _ observer: @Sendable (ObservedAudioFrame) -> Void
  ) {
    let level = samples.withUnsafeBufferPointer { AudioLevel.volume(rootMeanSquare: AudioLevel.rootMeanSquare($0)) }
    let frame = AudioFrame(samples: samples, channelCount: 2, captureTime: now)
    registry.call { observer(ObservedAudioFrame(position: position, frame: frame, level: level)) }
  }
}
