/// How much `CallAPIListener.callDebugInfo` matters.
public enum CallLogLevel: Int, Sendable {
  /// Nothing wrong.
  case normal = 0
  /// Something was ignored or refused.
  case warning = 1
  /// Something has failed.
  case error = 2
}
