/// Why a text is not a token, or one that cannot be made or is not good for what it is shown for.
public enum AccessTokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not of the form of a token of version 007.
  case malformed
  /// An application id or certificate is not 32 hexadecimal digits.
  case invalidSecret
  /// A field is too long to be written.
  case tooLong
  /// The token is for another application.
  case wrongAppID
  /// Not signed with a certificate of this application.
  case wrongSignature
  /// The token says nothing about this kind of use.
  case noService
  /// For another channel.
  case wrongChannel
  /// For another user.
  case wrongUser
  /// For more than one channel and for every user at once.
  case tooBroad
  /// The right to join or to log in is not among those that it gives.
  case noPrivilege
  /// Not valid any more.
  case expired
  /// Not valid yet: its issue lies in the future.
  case notYetValid
  /// Meant to be valid for longer than 24 hours.
  case lifetimeTooLong
  /// The library failed.
  case cryptoFailed

  /// What is wrong and what to do, in a sentence.
  public var description: String {
    switch self {
    case .malformed: "The token is not of the form of an AccessToken2 (007); make a new one."
    case .invalidSecret: "The application id and the certificate must have 32 hexadecimal digits each."
    case .tooLong: "A name in the token is too long; the channel's and the user's may have 65,535 bytes."
    case .wrongAppID: "The token is for another application id."
    case .wrongSignature: "The token is not signed with this application's certificate."
    case .noService: "The token gives no right to this service; make one that does."
    case .wrongChannel: "The token is for another channel."
    case .wrongUser: "The token is for another user."
    case .tooBroad:
      "A token for more than one channel must name its user, one for every user its channel; make one that does."
    case .noPrivilege: "The token does not give the right to enter."
    case .expired: "The token has expired; get a new one."
    case .notYetValid: "The token is issued in the future; check the clocks of the server and of who makes tokens."
    case .lifetimeTooLong: "The token is made for more than 24 hours; make one for less."
    case .cryptoFailed: "The cryptographic library failed."
    }
  }
}
