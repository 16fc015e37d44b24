/// Why a channel server could not be started; `description` is a sentence for people.
public enum ChannelServerError: Error, Sendable, CustomStringConvertible {
  /// The control or media port could not be had.
  case listening(String)
  /// Development mode without tokens would be open to the network.
  case developmentBeyondLoopback(host: String)
  /// Only development mode is there yet.
  case tokensNotSupported
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
    case .tokensNotSupported:
      "A server that checks tokens is not there yet. Use development mode, which listens on loopback only."
    case .invalidConfiguration(let message): message
    }
  }
}
