/// What an encrypted frame is. It is authenticated: nobody can pass one kind off as another.
public enum SFrameMediaKind: UInt8, Sendable, CaseIterable {
  /// A picture of VP8. Of a key frame the first 10 bytes stay in the clear, of others the first one: servers choose
  /// layers and starting points by them.
  case video = 1
  /// A packet of Opus. Nothing stays in the clear.
  case audio = 2
  /// A message of a data stream.
  case data = 3
}
