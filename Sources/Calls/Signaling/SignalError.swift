import ControlWire

/// Why logging in or sending a text failed.
public enum SignalError: Error, Hashable, Sendable {
  /// Not logged in, or logged out meanwhile.
  case notLoggedIn
  /// The receiver is not logged in.
  case userOffline(uid: UInt)
  /// The uid is not one: 1 to 4,294,967,295.
  case invalidUID(UInt)
  /// The text is longer than 32,768 bytes of UTF-8.
  case messageTooLong(byteCount: Int)
  /// The text has a U+0000 in it.
  case messageNotText
  /// So many messages wait for an answer that no other may: all places are taken, or this receiver's share of them.
  case tooManyPending(limit: Int)
  /// The connection was lost, and could not be made again in time to hear an answer.
  case connectionLost
  /// The server has not answered in time.
  case timedOut
  /// The server cannot be reached; with the cause for people.
  case unreachable(message: String)
  /// The server refused or ended it; with its code and words.
  case refused(code: Int, message: String)
}

extension SignalError {
  /// For programs: -1 for what the client found by itself, otherwise the server's code (`ControlErrorCode`).
  public var code: Int {
    switch self {
    case .userOffline: ControlErrorCode.userOffline.rawValue
    case .refused(let code, _): code
    default: -1
    }
  }

  /// Whether it is certain that the receiver has not got the text.
  public var isCertain: Bool {
    switch self {
    // A text may have been on its way when its sender was logged out.
    case .notLoggedIn, .connectionLost, .timedOut: false
    // Servers that have lost each other do not know either what the text has come to.
    case .refused(let code, _):
      code != ControlErrorCode.notConfirmed.rawValue && code != ControlErrorCode.clusterUnavailable.rawValue
    default: true
    }
  }

  /// A first login, which is not tried again.
  static var closedBeforeLogin: SignalError {
    .unreachable(
      message: "The signalling server has closed the connection before it answered the login; log in again later.")
  }

  init(_ response: ErrorResponse) {
    self = .refused(code: response.code.rawValue, message: response.message)
  }
}

extension SignalError: CustomStringConvertible {
  /// For people: what is wrong and what to do.
  public var description: String {
    switch self {
    case .notLoggedIn: "Not logged in for signalling; log in first."
    case .userOffline(let uid): "User \(uid) is not logged in; try again later."
    case .invalidUID(let uid): "\(uid) is not a user's number; use 1 to 4294967295."
    case .messageTooLong(let count):
      "The message has \(count) bytes; shorten it to \(SendRequest.maximumMessageByteCount)."
    case .messageNotText: "The message has a character U+0000 in it; take it out."
    case .tooManyPending(let limit): "\(limit) messages are still waiting for an answer; send more slowly."
    case .connectionLost: "The connection to the signalling server is lost; it is being made again. Try again."
    case .timedOut: "The signalling server has not answered in time; try again."
    case .unreachable(let message): message
    case .refused(_, let message): message
    }
  }
}
