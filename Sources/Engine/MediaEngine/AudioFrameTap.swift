import MediaBase
import Synchronization

/// An audio frame delegate with what it said of itself when it was set.
final class AudioFrameTap: Sendable {
  private let positions: AudioFramePosition
  private let mode: FrameProcessMode
  private weak let delegate: (any RTCAudioFrameDelegate)?
  private let registry: CallbackRegistry
  private let mixture = Mutex(SoundMixture())

  init(_ delegate: any RTCAudioFrameDelegate, registry: CallbackRegistry) {
    self.delegate = delegate
    self.registry = registry
    positions = delegate.observedAudioFramePositions
    mode = delegate.audioFrameProcessMode
  }

  /// Whether anybody wants each remote user's sound.
  var takesVoices: Bool { positions.contains(.beforeMixing) }

  func recorded(_ frame: AudioFrame) -> AudioFrame { offer(frame, .record) { $0.onRecordAudioFrame($1) } }

  func played(_ frame: AudioFrame) -> AudioFrame { offer(frame, .playback) { $0.onPlaybackAudioFrame($1) } }

  func voice(_ frame: AudioFrame, _ connection: RTCConnection, _ uid: UInt) -> AudioFrame {
    offer(frame, .beforeMixing) { $0.onPlaybackAudioFrameBeforeMixing($1, connection: connection, uid: uid) }
  }

  /// Takes what is sent, for the mixture.
  func addSent(_ frame: AudioFrame) { mix { $0.add(sent: frame) } }

  /// Takes what is played, for the mixture.
  func addPlayed(_ frame: AudioFrame) { mix { $0.add(played: frame) } }

  private func mix(_ body: (inout SoundMixture) -> AudioFrame?) {
    guard positions.contains(.mixed), let delegate, let frame = mixture.withLock({ body(&$0) }) else { return }
    registry.call { delegate.onMixedAudioFrame(frame) }
  }

  /// What goes on in the sound's place.
  private func offer(
    _ frame: AudioFrame, _ position: AudioFramePosition,
    _ body: (any RTCAudioFrameDelegate, AudioFrame) -> AudioFrame?
  ) -> AudioFrame {
    guard positions.contains(position), let delegate else { return frame }
    var answer: AudioFrame?
    registry.call { answer = body(delegate, frame) }
    guard mode == .readWrite else { return frame }
    var result = frame
    guard let answer else {
      result.samples = Array(repeating: 0, count: frame.samples.count)
      return result
    }
    guard answer.samples.count == frame.samples.count, answer.channelCount == frame.channelCount else { return frame }
    result.samples = answer.samples
    return result
  }
}
