/// Why a camera, microphone, speaker, window or media file could not be used. `description` is a sentence for people: what
/// failed, why, and what to do.
public enum MediaDeviceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no such device or file.
  case notFound(name: String)
  /// The process may not open it.
  case noPermission(name: String)
  /// Somebody else uses it; `holder` names the process where it is known.
  case busy(name: String, holder: String?)
  /// It was there and has gone (unplugged, module unloaded).
  case disconnected(name: String)
  /// It has no format that can be used, or the file is not in a format that can be read.
  case unsupportedFormat(name: String, detail: String)
  /// The system refused for another reason.
  case system(name: String, operation: String, code: Int32, detail: String)

  /// The value as a sentence or text for people.
  public var description: String {
    switch self {
    case .notFound(let name):
      return "\(name) does not exist. Check the name; `greenroom devices` lists cameras, microphones and speakers."
    case .noPermission(let name):
      return "\(name) may not be opened by this user. "
        + "Add the user to the device's group (video or audio) or fix the file's mode."
    case .busy(let name, let holder):
      let who = holder.map { " by \($0)" } ?? ""
      return "\(name) is in use\(who). Close the other program or choose another device."
    case .disconnected(let name):
      return "\(name) has been disconnected. Plug it back in or choose another device."
    case .unsupportedFormat(let name, let detail):
      return "\(name) cannot be used: \(detail)."
    case .system(let name, let operation, let code, let detail):
      return "\(name): \(operation) failed with error \(code) (\(detail))."
    }
  }
}
