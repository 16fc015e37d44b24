import Foundation

extension Error {
  /// Why something failed, in the system's words if it was the system.
  var reason: String {
    let error = self as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    if cause.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(cause.code))) }
    let text = localizedDescription
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
