/// One side's user name fragment and password (RFC 8445 section 5.3).
public struct ICECredentials: Hashable, Sendable {
  /// 4 to 256 ice-chars.
  public var usernameFragment: String
  /// 22 to 256 ice-chars.
  public var password: String

  /// Makes credentials.
  public init(usernameFragment: String, password: String) {
    self.usernameFragment = usernameFragment
    self.password = password
  }
}
