import Glibc
import MediaBase

/// Why no connections can be accepted on a TCP port. `description` is a sentence for people.
public enum TCPListenerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another socket has the port.
  case portInUse(TransportAddress)
  /// The system refused for another reason.
  case system(TransportAddress, operation: String, code: Int32)

  /// What failed, why, and what to do.
  public var description: String {
    switch self {
    case .portInUse(let address):
      "TCP port \(address.port) on \(address.host) is already in use by another program. "
        + "Media needs one number for UDP and TCP: stop that program or choose another port."
    case .system(let address, let operation, let code):
      "TCP port \(address.port) on \(address.host): \(operation) failed with error \(code) "
        + "(\(SystemErrorText.describe(code)))."
    }
  }
}
