/// What came of joining a channel.
public struct RTCJoinResult: Hashable, Sendable {
  /// The connection, with the uid that the server has chosen if 0 was asked for.
  public var connection: RTCConnection
  /// Milliseconds since the call.
  public var elapsed: Int
}
