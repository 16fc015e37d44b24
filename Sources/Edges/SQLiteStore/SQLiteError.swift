/// Why SQLite could not do something; `description` is a sentence for people.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// SQLite's result code.
  public let code: Int32
  /// What failed, and why.
  public let description: String
}
