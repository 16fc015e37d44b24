import ControlWire

extension ControlErrorCode {
  /// The error code that the application is told.
  var engineCode: EngineErrorCode {
    switch self {
    case .invalidArgument, .malformedMessage: .invalidArgument
    case .refused: .refused
    case .invalidState: .invalidState
    case .noPermission: .noPermission
    case .resourceLimited: .resourceLimited
    case .invalidAppID: .invalidAppID
    case .invalidChannelName: .invalidChannelName
    case .tokenExpired: .tokenExpired
    case .invalidToken: .invalidToken
    case .roleNotAuthorized: .setClientRoleNotAuthorized
    case .invalidUID: .invalidUserID
    case .banned: .clientIsBannedByServer
    case .sameUIDLogin: .aborted
    case .unsupportedVersion: .notSupported
    case .userOffline, .notConfirmed, .clusterUnavailable: .refused
    case .shuttingDown: .connectionInterrupted
    }
  }

  /// Why the connection has failed, when this is the cause.
  var connectionReason: ConnectionChangedReason {
    switch self {
    case .invalidAppID: .invalidAppID
    case .invalidChannelName: .invalidChannelName
    case .tokenExpired: .tokenExpired
    case .invalidToken: .invalidToken
    case .banned: .bannedByServer
    case .sameUIDLogin: .sameUIDLogin
    default: .rejectedByServer
    }
  }
}
