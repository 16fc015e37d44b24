/// What a message between the two sides of a call asks for.
public enum CallAction: UInt, Codable, Sendable {
  /// A video call.
  case videoCall = 0
  /// The caller gives up, or somebody's time to wait is over.
  case cancelCall = 1
  /// The callee accepts.
  case accept = 2
  /// The callee rejects, or is busy.
  case reject = 3
  /// The call ends.
  case hangup = 4
  /// An audio call.
  case audioCall = 10
}
