import CSoup

/// Why an HTTP server could not be started; `description` is a sentence for people.
public enum HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address is not an IP address.
  case badAddress(host: String)
  /// Another program listens there.
  case portInUse(host: String, port: UInt16)
  /// Ports below 1024 need privileges.
  case noPermission(host: String, port: UInt16)
  /// The address is not one of this machine's.
  case addressNotAvailable(host: String)
  /// The certificate or its key cannot be used.
  case badCertificate(file: String, detail: String)
  /// The system refused for another reason.
  case system(host: String, port: UInt16, detail: String)

  /// What failed, why, and what to do.
  public var description: String {
    switch self {
    case .badAddress(let host): "'\(host)' is not an IP address. Use for example 127.0.0.1 or ::1."
    case .portInUse(let host, let port):
      "TCP port \(port) on \(host) is in use by another program. Stop it or choose another port."
    case .noPermission(let host, let port):
      "This user may not listen on TCP port \(port) of \(host). Choose a port above 1023."
    case .addressNotAvailable(let host): "\(host) is not an address of this machine. `ip address` lists them."
    case .badCertificate(let file, let detail):
      "The certificate in '\(file)' or its key cannot be used: \(detail). Both must be in PEM and belong together."
    case .system(let host, let port, let detail): "Listening on TCP port \(port) of \(host) failed: \(detail)."
    }
  }
}

extension HTTPServerError {
  /// From what GLib says.
  init(_ error: (domain: GQuark, code: Int32, message: String), host: String, port: UInt16) {
    guard error.domain == g_io_error_quark() else {
      self = .system(host: host, port: port, detail: error.message)
      return
    }
    switch GIOErrorEnum(UInt32(bitPattern: error.code)) {
    case G_IO_ERROR_ADDRESS_IN_USE: self = .portInUse(host: host, port: port)
    case G_IO_ERROR_PERMISSION_DENIED: self = .noPermission(host: host, port: port)
    default:
      // GLib has no code of its own for EADDRNOTAVAIL.
      self =
        error.message.contains("annot assign")
        ? .addressNotAvailable(host: host) : .system(host: host, port: port, detail: error.message)
    }
  }
}
