/// What leaving a channel ends besides.
public struct LeaveChannelOptions: Hashable, Sendable {
  /// Whether the microphone is closed if nobody publishes it any more; default true. If not, it goes on for its observers
  /// until a leave call or `enableLocalAudio(false)` ends it.
  public var stopMicrophoneRecording: Bool

  /// Makes options.
  public init(stopMicrophoneRecording: Bool = true) { self.stopMicrophoneRecording = stopMicrophoneRecording }
}
