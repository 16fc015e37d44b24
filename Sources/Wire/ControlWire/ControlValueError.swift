/// A member of a message has a value that it cannot have, where it is known which ones it can.
public struct ControlValueError: Error, Hashable, Sendable {
  /// The member's name.
  public var member: String
  /// What the value must be, for people.
  public var expected: String
}

extension KeyedDecodingContainer {
  /// Throws for what is there and cannot be a user's number: JSON's readers do not say which of a message's numbers does not
  /// fit. Whether the number may be 0 or is too large is for others to say.
  func checkUID(_ key: Key, isChosenBy0: Bool = false) throws {
    guard contains(key), (try? decode(UInt.self, forKey: key)) == nil else { return }
    throw ControlValueError(
      member: key.stringValue, expected: "a whole number from \(isChosenBy0 ? 0 : 1) to \(UInt32.max)")
  }
}
