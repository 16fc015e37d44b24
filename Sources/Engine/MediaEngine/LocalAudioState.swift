/// What happens to the local audio. The raw values are those of the SDKs.
public enum LocalAudioState: Int, Sendable, CaseIterable {
  /// Nothing is captured.
  case stopped = 0
  /// The first sound has been captured.
  case recording = 1
  /// The first sound has been encoded.
  case encoding = 2
  /// It cannot be captured or encoded.
  case failed = 3
}
