import Glibc
import MediaBase

/// Why a UDP socket could not be made. `description` is a sentence for people.
public enum UDPSocketError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `host` is neither an IP address nor a name that resolves to one.
  case badAddress(host: String)
  /// Another socket has the port.
  case portInUse(TransportAddress)
  /// The user may not use the port (below 1024 on most systems).
  case noPermission(TransportAddress)
  /// No interface of this machine has the address, or its family is switched off.
  case addressNotAvailable(TransportAddress)
  /// The system refused for another reason.
  case system(TransportAddress, operation: String, code: Int32)

  /// What failed, why, and what to do.
  public var description: String {
    switch self {
    case .badAddress(let host):
      return "'\(host)' is not an address to listen on. "
        + "Give an IP address of this machine, such as 127.0.0.1, 0.0.0.0 or ::."
    case .portInUse(let address):
      return "UDP port \(address.port) on \(address.host) is already in use by another program. "
        + "Stop that program or choose another port."
    case .noPermission(let address):
      return "UDP port \(address.port) on \(address.host) may not be used by this user. "
        + "Choose a port of 1024 or higher, or run with more rights."
    case .addressNotAvailable(let address):
      return "\(address.host) is not an address of this machine, so no UDP port can be opened on it. "
        + "Give the address of one of its interfaces, or 0.0.0.0 for all."
    case .system(let address, let operation, let code):
      return "UDP socket on \(address): \(operation) failed with error \(code) (\(SystemErrorText.describe(code)))."
    }
  }

  init(_ address: TransportAddress, operation: String, code: Int32) {
    switch code {
    case EADDRINUSE: self = .portInUse(address)
    case EACCES, EPERM: self = .noPermission(address)
    case EADDRNOTAVAIL, EAFNOSUPPORT: self = .addressNotAvailable(address)
    default: self = .system(address, operation: operation, code: code)
    }
  }
}
