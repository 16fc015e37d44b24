/// Why a channel server could not be started; `description` is a sentence for people.
public enum ChannelServerError: Error, Sendable, CustomStringConvertible {
  /// The control or media port could not be had.
  case listening(String)
  /// Development mode without tokens would be open to the network.
  case developmentBeyondLoopback(host: String)
  /// Neither development mode nor tokens were chosen.
  case tokensNeeded
  /// Keys of media would travel unprotected.
  case plainHTTPBeyondLoopback(host: String)
  /// The database of calls cannot be used.
  case records(String)
  /// A number is out of range.
  case invalidConfiguration(String)

  /// What failed, why, and what to do.
  public var description: String {
    switch self {
    case .listening(let message), .records(let message): message
    case .developmentBeyondLoopback(let host):
      "Development mode needs no tokens and therefore listens on loopback only, but \(host) is not loopback. "
        + "Use 127.0.0.1 or ::1."
    case .tokensNeeded:
      "A server without tokens would be open to everybody. Give it an application id and a certificate, or use "
        + "development mode, which listens on loopback only."
    case .plainHTTPBeyondLoopback(let host):
      "Control connections carry the keys of media, and \(host) is not loopback. Give the server a TLS certificate and its "
        + "key; or let it listen on loopback behind a proxy that does TLS."
    case .invalidConfiguration(let message): message
    }
  }
}
