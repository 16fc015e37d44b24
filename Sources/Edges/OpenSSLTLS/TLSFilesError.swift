import COpenSSL

/// A certificate or its key cannot be used.
public struct TLSFilesError: Error, Hashable, Sendable {
  /// Which file.
  public let file: String
  /// Why, in the library's words.
  public let detail: String

  /// From what OpenSSL has noted last.
  init(file: String) {
    self.file = file
    // The first one is the cause, the others are what followed from it.
    let code = ERR_get_error()
    ERR_clear_error()
    detail = ERR_reason_error_string(code).map { String(cString: $0) } ?? "it cannot be read"
  }
}
