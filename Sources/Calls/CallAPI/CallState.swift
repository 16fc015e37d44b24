/// Where a call stands.
public enum CallState: UInt, Sendable {
  /// Not prepared: calls neither go out nor come in.
  case idle = 0
  /// Ready to call and to be called.
  case prepared = 1
  /// One side calls, the other rings.
  case calling = 2
  /// Accepted; the first picture or sound has not come.
  case connecting = 3
  /// Both see or hear each other.
  case connected = 4
  /// Preparing has failed.
  case failed = 10
}
