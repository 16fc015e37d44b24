/// Whether a `SignalClient` can send and receive.
public enum SignalConnectionState: Hashable, Sendable {
  /// Logged out: before `login`, after `logout`, after a refused login, or removed by the server.
  case disconnected
  /// Logging in for the first time.
  case connecting
  /// Logged in.
  case connected
  /// The connection was lost; the client is trying to log in again by itself.
  case reconnecting
}
