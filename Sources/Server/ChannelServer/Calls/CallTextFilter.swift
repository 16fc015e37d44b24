import Glibc

/// Tells texts of other applications from messages of calls at little cost. Whatever the sides of a call could take for a
/// message passes, however it is written, so that nobody gets past records and supervision by writing it oddly.
enum CallTextFilter {
  /// Whether a text has to be decoded to know whether it is a message of a call.
  static func mayBeCallMessage(_ text: String) -> Bool {
    guard let first = text.utf8.first(where: { !isSpace($0) }), first == UInt8(ascii: "{") else { return false }
    return text.withCString { characters in
      // Every letter of the key can be written as an escape of this kind, and as no other. What has a zero in it is no JSON.
      strstr(characters, "\"message_action\"") != nil || strstr(characters, "\\u00") != nil
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
