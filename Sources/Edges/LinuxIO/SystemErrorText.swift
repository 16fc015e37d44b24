import Glibc

/// What the C library says about an error number, for messages to people.
public enum SystemErrorText {
  /// The text of `code` (an `errno` value), such as "Permission denied".
  public static func describe(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}
