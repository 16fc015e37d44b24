/// Why a change of role did not come about. The raw values are those of the SDKs.
public enum ClientRoleChangeFailedReason: Int, Sendable, CaseIterable {
  /// The channel has as many broadcasters as it may.
  case tooManyBroadcasters = 1
  /// The token does not grant publishing.
  case notAuthorized = 2
  /// The server has not answered.
  case requestTimeOut = 3
  /// The connection failed.
  case connectionFailed = 4
}
