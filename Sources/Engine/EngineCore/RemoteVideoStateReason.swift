/// Why a remote video's state has changed. The raw values are those of the SDKs.
public enum RemoteVideoStateReason: Int, Sendable, CaseIterable {
  /// The engine itself.
  case `internal` = 0
  /// The network does not carry it.
  case networkCongestion = 1
  /// The network carries it again.
  case networkRecovery = 2
  /// This side has unsubscribed.
  case localMuted = 3
  /// This side has subscribed.
  case localUnmuted = 4
  /// The remote user has stopped publishing.
  case remoteMuted = 5
  /// The remote user has started publishing.
  case remoteUnmuted = 6
  /// The remote user has left.
  case remoteOffline = 7
  /// Only audio is received, for the network's sake.
  case audioFallback = 8
  /// Video is received again after `audioFallback`.
  case audioFallbackRecovery = 9
  /// Switched to the low stream.
  case streamTypeChangedToLow = 10
  /// Switched to the high stream.
  case streamTypeChangedToHigh = 11
  /// The application is in the background.
  case applicationInBackground = 12
  /// The codec is not supported.
  case codecNotSupported = 13
}
