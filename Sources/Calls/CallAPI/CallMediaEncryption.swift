/// How the channel of a call is encrypted between the ends.
public enum CallMediaEncryption: Hashable, Sendable {
  /// It is not.
  case none
  /// The other side's key has not come yet: nothing may be published or received.
  case awaited
  /// With this key.
  case key(CallMediaKey)
}

/// The key of a call, which must not get into logs.
public struct CallMediaKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// 32 bytes as hexadecimal digits.
  public let text: String

  init(text: String) { self.text = text }

  /// Nothing of the key.
  public var description: String { "CallMediaKey" }
  /// Nothing of the key.
  public var debugDescription: String { description }
}
