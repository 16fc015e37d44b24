/// What happens to the local video. The raw values are those of the SDKs.
public enum LocalVideoState: Int, Sendable, CaseIterable {
  /// Nothing is captured.
  case stopped = 0
  /// The first picture has been captured.
  case capturing = 1
  /// The first picture has been encoded.
  case encoding = 2
  /// It cannot be captured or encoded.
  case failed = 3
}
