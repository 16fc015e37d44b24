/// Why the local audio's state has changed. The raw values are those of the SDKs.
public enum LocalAudioStateReason: Int, Sendable, CaseIterable {
  /// As asked.
  case ok = 0
  /// No stated reason.
  case failure = 1
  /// The microphone may not be opened.
  case deviceNoPermission = 2
  /// Somebody else uses the microphone.
  case deviceBusy = 3
  /// The microphone does not deliver.
  case recordFailure = 4
  /// The codec failed.
  case encodeFailure = 5
  /// There is no microphone.
  case noRecordingDevice = 6
  /// There is no speaker.
  case noPlayoutDevice = 7
  /// Interrupted by the system.
  case interrupted = 8
}
