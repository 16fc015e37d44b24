import ControlWire

/// What has become of a new token; the raw values are those of the SDKs.
public enum RenewTokenResult: Int, Sendable {
  /// It has taken the old one's place.
  case success = 0
  /// It could not be renewed; the old one stays.
  case failure = 1
  /// It has expired; the old one stays.
  case tokenExpired = 2
  /// It is not for this user, or is forged; the old one stays.
  case invalidToken = 3
  /// It is for another channel; the old one stays.
  case invalidChannelName = 4
  /// It is for another application; the old one stays.
  case inconsistentAppID = 5
  /// A newer one came before the server's answer.
  case superseded = 6

  init(_ error: ErrorResponse) {
    self =
      switch error.code {
      case .tokenExpired: .tokenExpired
      case .invalidToken: error.isTokenOfOtherChannel == true ? .invalidChannelName : .invalidToken
      case .invalidAppID: .inconsistentAppID
      default: .failure
      }
  }
}
