public import MediaBase

/// Hears sound on its way through the engine, 10 ms at 48 kHz at a time, and changes it if its mode is `.readWrite`.
///
/// The methods are called on the threads of the sound, which wait for them: they must be done within a millisecond or two.
/// What is given back must have as many samples and channels as what came; anything else counts as unchanged. `nil` is
/// silence, since sound keeps its time.
public protocol RTCAudioFrameDelegate: AnyObject, Sendable {
  /// Which of the methods are called; asked for once, when the delegate is set.
  var observedAudioFramePositions: AudioFramePosition { get }
  /// What the delegate may do; asked for once, when the delegate is set. Unless implemented, listen.
  var audioFrameProcessMode: FrameProcessMode { get }

  /// The microphone's sound, before its volume and before it is muted, on the microphone's thread.
  func onRecordAudioFrame(_ frame: AudioFrame) -> AudioFrame?
  /// Everything remote, mixed, in stereo, on the speaker's thread.
  func onPlaybackAudioFrame(_ frame: AudioFrame) -> AudioFrame?
  /// What is sent and what is played, together, in stereo; on the microphone's or the speaker's thread.
  func onMixedAudioFrame(_ frame: AudioFrame)
  /// One remote user's sound before its playback volume, in stereo, on the speaker's thread.
  func onPlaybackAudioFrameBeforeMixing(_ frame: AudioFrame, connection: RTCConnection, uid: UInt) -> AudioFrame?
}

extension RTCAudioFrameDelegate {
  /// Listening.
  public var audioFrameProcessMode: FrameProcessMode { .readOnly }
  /// The sound as it is.
  public func onRecordAudioFrame(_ frame: AudioFrame) -> AudioFrame? { frame }
  /// The sound as it is.
  public func onPlaybackAudioFrame(_ frame: AudioFrame) -> AudioFrame? { frame }
  /// Nothing.
  public func onMixedAudioFrame(_ frame: AudioFrame) {}
  /// The sound as it is.
  public func onPlaybackAudioFrameBeforeMixing(
    _ frame: AudioFrame, connection: RTCConnection, uid: UInt
  ) -> AudioFrame? { frame }
}
