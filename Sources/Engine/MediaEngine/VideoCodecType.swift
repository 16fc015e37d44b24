/// How pictures are encoded. The raw values are those of the SDKs.
public enum VideoCodecType: Int, Sendable, CaseIterable {
  /// RFC 6386: the one that this engine sends and receives.
  case vp8 = 1
  /// Not sent.
  case h264 = 2
  /// Not sent.
  case h265 = 3
  /// Not sent.
  case av1 = 12
  /// Not sent.
  case vp9 = 13
}
