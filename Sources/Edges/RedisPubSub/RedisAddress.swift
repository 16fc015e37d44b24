/// Where a Redis is: `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`.
public struct RedisAddress: Hashable, Sendable {
  /// A name or an IP address.
  public var host: String
  /// TCP port, 6379 if it is left out.
  public var port: UInt16
  /// Empty for the default user.
  public var user: String
  /// Empty for none.
  public var password: String
  /// Number of the database.
  public var database: Int

  /// Reads an address; `nil` if it is none.
  public init?(_ text: String) {
    guard text.hasPrefix("redis://") else { return nil }
    var rest = text.dropFirst("redis://".count)
    (user, password, database, port) = ("", "", 0, 6_379)
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      (user, password) = (String(parts[0]), String(parts[1]))
      rest = rest[rest.index(after: at)...]
    }
    if let slash = rest.firstIndex(of: "/") {
      let number = rest[rest.index(after: slash)...]
      guard let database = number.isEmpty ? 0 : Int(number), database >= 0 else { return nil }
      self.database = database
      rest = rest[..<slash]
    }
    if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
      guard let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else { return nil }
      self.port = port
      rest = rest[..<colon]
    }
    if rest.hasPrefix("["), rest.hasSuffix("]") { rest = rest.dropFirst().dropLast() }
    guard !rest.isEmpty else { return nil }
    host = String(rest)
  }
}
