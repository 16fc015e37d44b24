/// What happens to one remote user's video here. The raw values are those of the SDKs.
public enum RemoteVideoState: Int, Sendable, CaseIterable {
  /// Nothing is received.
  case stopped = 0
  /// The first packet has come.
  case starting = 1
  /// Pictures come out.
  case decoding = 2
  /// Pictures should come but do not.
  case frozen = 3
  /// The video cannot be shown.
  case failed = 4
}
