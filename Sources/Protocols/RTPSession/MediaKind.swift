/// What a stream carries.
public enum MediaKind: Hashable, Sendable {
  /// Opus (RFC 7587).
  case audio
  /// VP8 (RFC 7741).
  case video
}
