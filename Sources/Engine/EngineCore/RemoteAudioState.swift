/// What happens to one remote user's audio here. The raw values are those of the SDKs.
public enum RemoteAudioState: Int, Sendable, CaseIterable {
  /// Nothing is received.
  case stopped = 0
  /// The first packet has come.
  case starting = 1
  /// Sound comes out.
  case decoding = 2
  /// Sound should come but does not.
  case frozen = 3
  /// The audio cannot be played.
  case failed = 4
}
