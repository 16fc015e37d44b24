/// What a `SignalClient` reports by itself.
public enum SignalEvent: Hashable, Sendable {
  /// A text from another user; the server vouches for `from`.
  case message(String, from: UInt)
  /// The connection has another state now; with the cause where it was not this side's wish.
  case connectionStateChanged(SignalConnectionState, cause: SignalError?)
  /// The token runs out soon; go on with `renewToken`.
  case tokenWillExpire
}
