/// Why a remote audio's state has changed. The raw values are those of the SDKs.
public enum RemoteAudioStateReason: Int, Sendable, CaseIterable {
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
  /// Nothing has been received.
  case noPacketReceived = 8
  /// The local speaker does not work.
  case localPlayFailed = 9
}
