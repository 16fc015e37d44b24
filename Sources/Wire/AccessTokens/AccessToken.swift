/// A proof of rights that the owner of an application gives to a user: an AccessToken2 (version 007).
///
/// Whoever knows the application's certificate can make one; the server, which knows it too, can tell that nobody else did.
public struct AccessToken: Hashable, Sendable {
  /// What the text begins with.
  public static let version = "007"
  /// Longest time from issue to end, in seconds.
  public static let maximumLifetime: UInt32 = 86_400

  /// The application: 32 hexadecimal digits.
  public var appID: String
  /// When it was made, in seconds since 1970.
  public var issueTime: UInt32
  /// Seconds from the issue until it is worth nothing.
  public var lifetime: UInt32
  /// Differs between tokens of the same second.
  public var salt: UInt32
  /// What it is good for.
  public var services: [AccessTokenService]

  /// Makes a token, to be signed by `text(certificate:crypto:)`.
  ///
  /// - Parameter salt: random, 1 to 99,999,999.
  public init(appID: String, issueTime: UInt32, lifetime: UInt32, salt: UInt32, services: [AccessTokenService]) {
    self.appID = appID
    self.issueTime = issueTime
    self.lifetime = lifetime
    self.salt = salt
    self.services = services
  }

  /// The service for channels, if there is one.
  public var rtc: RTCTokenService? {
    for case .rtc(let service) in services { return service }
    return nil
  }

  /// The service for signalling, if there is one.
  public var signaling: SignalingTokenService? {
    for case .signaling(let service) in services { return service }
    return nil
  }

  /// Whether a text has the form of an application id or a certificate.
  public static func isSecret(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      }
  }
}
