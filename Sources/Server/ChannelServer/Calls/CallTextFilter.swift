import Glibc

/// Tells texts of other applications from messages of calls at little cost. Whatever a reader of JSON could take for a message
/// of a call passes, however it is written, so that nobody gets past records and supervision by writing it oddly.
enum CallTextFilter {
  /// Whether a text has to be decoded to know whether it is a message of a call.
  static func mayBeCallMessage(_ text: String) -> Bool {
    text.withCString { characters in
      // Readers of JSON take zeros for signs of wider encodings.
      if strlen(characters) < text.utf8.count { return true }
      guard let first = text.utf8.first(where: { !isIgnored($0) }), first == UInt8(ascii: "{") else { return false }
      // Every letter of the key can be written as an escape of this kind, and as no other.
      return strstr(characters, "\"message_action\"") != nil || strstr(characters, "\\u00") != nil
    }
  }

  /// White space, and the bytes of a byte order mark.
  private static func isIgnored(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: true
    default: false
    }
  }
}
