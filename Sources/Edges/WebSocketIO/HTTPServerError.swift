import Glibc
import LinuxIO

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
  init(_ error: TCPListenerError, host: String, port: UInt16) {
    switch error {
    case .portInUse: self = .portInUse(host: host, port: port)
    case .system(_, _, EACCES): self = .noPermission(host: host, port: port)
    case .system(_, _, EADDRNOTAVAIL): self = .addressNotAvailable(host: host)
    case .system(_, _, let code):
      self = .system(host: host, port: port, detail: String(cString: strerror(code)))
    }
  }
}
