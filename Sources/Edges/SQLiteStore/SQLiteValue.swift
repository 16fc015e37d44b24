/// A value of a column or a parameter.
public enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)

  /// The text, if it is one.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The whole number, if it is one.
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}
