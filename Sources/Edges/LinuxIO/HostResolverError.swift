/// Why a host name gave no address. `description` is a sentence for people.
public enum HostResolverError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No such name, or it has no address.
  case notFound(host: String)
  /// The name service could not answer now.
  case unavailable(host: String, detail: String)

  /// What failed, why, and what to do.
  public var description: String {
    switch self {
    case .notFound(let host):
      return "The host '\(host)' is not known. Check the spelling, or give its IP address."
    case .unavailable(let host, let detail):
      return "The host '\(host)' could not be looked up: \(detail). Check the network, or give its IP address."
    }
  }
}
