/// What an agent does (RFC 8445 sections 2.5 and 6.1.1).
public enum ICERole: Hashable, Sendable {
  /// Sends checks and chooses the path: our client.
  case controlling
  /// Only answers checks: our server, which has public addresses.
  case lite
}
