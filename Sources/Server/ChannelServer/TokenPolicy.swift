/// How a server that is open to the network tells who may enter: by tokens of one application (AccessToken2, version 007).
public struct TokenPolicy: Hashable, Sendable, CustomStringConvertible {
  /// The application's id: 32 hexadecimal digits.
  public var appID: String
  /// The application's secrets, 32 hexadecimal digits each: tokens signed with any of them are good, so that one can be
  /// replaced without a gap.
  public var certificates: [String]
  /// Whether who publishes needs a token that allows it. Without, any token that allows to join is enough.
  public var restrictsPublishing: Bool

  /// Makes a policy.
  public init(appID: String, certificates: [String], restrictsPublishing: Bool = true) {
    self.appID = appID
    self.certificates = certificates
    self.restrictsPublishing = restrictsPublishing
  }

  /// Without secrets, for logs.
  public var description: String { "tokens of application \(appID)" }
}
