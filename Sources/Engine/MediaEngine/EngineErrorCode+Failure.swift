import EngineCore

extension EngineErrorCode {
  /// The code that an asynchronous join throws when its connection has failed.
  init(failure reason: ConnectionChangedReason) {
    self =
      switch reason {
      case .bannedByServer: .clientIsBannedByServer
      case .joinFailed: .timedOut
      case .invalidAppID: .invalidAppID
      case .invalidChannelName: .invalidChannelName
      case .invalidToken: .invalidToken
      case .tokenExpired: .tokenExpired
      case .sameUIDLogin: .aborted
      default: .refused
      }
  }
}
