/// Where a connection to a channel stands. The raw values are those of the SDKs.
public enum ConnectionState: Int, Sendable, CaseIterable {
  /// Not in a channel: never joined, or left.
  case disconnected = 1
  /// The first attempt to join is under way.
  case connecting = 2
  /// In the channel.
  case connected = 3
  /// The connection broke (or the first attempt failed) and the engine tries again by itself.
  case reconnecting = 4
  /// The engine has given up; leave the channel before joining again.
  case failed = 5
}
