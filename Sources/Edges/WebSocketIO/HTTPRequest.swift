/// A request that has been read to its end.
public struct HTTPRequest: Sendable {
  /// `GET`, `POST`, ...
  public let method: String
  /// The path without the query, decoded.
  public let path: String
  /// The query's parameters.
  public let query: [String: String]
  /// Header fields by name in lower case; of several with one name the last.
  public let headers: [String: String]
  /// The content.
  public let body: String
  /// The client's IP address.
  public let remoteHost: String

  /// A header field's value, whatever the case of `name`.
  public func header(_ name: String) -> String? { headers[name.lowercased()] }
}
