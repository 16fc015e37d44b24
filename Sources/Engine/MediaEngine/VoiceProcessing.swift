import AudioProcessing
import LinuxIO
import MediaBase
import Synchronization

/// Echo, noise and gain of the microphone: joins the thread that plays and the one that records.
final class VoiceProcessing: Sendable {
  private struct State {
    var options = AudioProcessingOptions.off
    var processor: AudioProcessor?
    var playoutDelay: (@Sendable () -> MediaDuration)?
  }

  private let state = Mutex(State())

  /// What is to be done from the next frame on.
  func setOptions(_ options: AudioProcessingOptions) {
    state.withLock { state in
      guard state.options != options else { return }
      state.options = options
      state.processor = nil
    }
  }

  /// Where the speaker's delay is to be asked for.
  func setPlayoutDelay(_ delay: @escaping @Sendable () -> MediaDuration) {
    state.withLock { $0.playoutDelay = delay }
  }

  /// 10 ms that are about to be played, on the playout's thread.
  func render(_ samples: UnsafeMutableBufferPointer<Int16>) {
    state.withLock { $0.processor }?.render(UnsafeBufferPointer(samples))
  }

  /// 10 ms of the microphone, on its thread.
  func capture(_ frame: AudioFrame) -> AudioFrame {
    let (processor, playoutDelay) = state.withLock { state in
      if state.options != .off, state.processor?.channelCount != frame.channelCount {
        state.processor = AudioProcessor(state.options, channelCount: frame.channelCount)
      }
      return (state.processor, state.playoutDelay)
    }
    guard let processor else { return frame }
    let age = MonotonicClock.now() - frame.captureTime
    return processor.capture(frame, delay: (playoutDelay?() ?? .zero) + age)
  }
}

extension AudioScenario {
  /// What is done to a microphone's sound unless the application says otherwise.
  var processing: AudioProcessingOptions {
    switch self {
    case .default, .chatRoom, .meeting, .aiClient: AudioProcessingOptions()
    case .gameStreaming: AudioProcessingOptions(noiseSuppression: .off, controlsGain: false)
    case .chorus, .aiServer: .off
    }
  }
}
