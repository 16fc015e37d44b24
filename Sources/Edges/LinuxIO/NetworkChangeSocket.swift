import CLinuxShims
import Glibc

/// Becomes readable whenever an interface, an address or a route of this machine changes.
public final class NetworkChangeSocket {
  /// For an event loop.
  public let fileDescriptor: Int32

  /// `nil` if the system lets nobody watch.
  public init?() {
    fileDescriptor = clx_route_socket()
    if fileDescriptor < 0 { return nil }
  }

  /// Takes what has come, so that the next change is noticed; whether there was any.
  public func drain() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    var hasChanged = false
    while true {
      let count = recv(fileDescriptor, &bytes, bytes.count, 0)
      // More has happened than there was room for: that is a change too.
      guard count > 0 || (count < 0 && (errno == ENOBUFS || errno == EINTR)) else { return hasChanged }
      hasChanged = true
    }
  }

  deinit { close(fileDescriptor) }
}
