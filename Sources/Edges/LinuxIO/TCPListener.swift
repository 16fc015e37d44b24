import CLinuxShims
import Glibc
public import MediaBase

/// A TCP port that accepts connections without blocking, plain ones or for datagrams (RFC 4571).
///
/// One thread at a time uses it. Letting go of the object closes it.
public final class TCPListener {
  /// What a call of `accept()` has brought.
  public enum Outcome {
    /// A connection.
    case stream(DatagramStream)
    /// No connection waits.
    case none
    /// The process may not have more descriptors: connections wait until there are some.
    case exhausted
  }

  /// What a call of `acceptConnection()` has brought.
  public enum Connection {
    /// A connection as a descriptor that does not block and now belongs to the caller, and its other side.
    case descriptor(Int32, TransportAddress)
    /// No connection waits.
    case none
    /// The process may not have more descriptors: connections wait until there are some.
    case exhausted
  }

  /// For an event loop to watch; -1 once closed.
  public private(set) var fileDescriptor: Int32

  /// Bytes that the kernel takes of each connection beyond what it has sent: more would only be sent late.
  private static let unsentByteCount: Int32 = 32_768

  /// Listens.
  ///
  /// - Parameters:
  ///   - address: an IP address of this machine with a port, 0 for any that is free; `::` takes IPv4 too.
  ///   - backlog: connections that may wait to be accepted; the kernel has its own limit (somaxconn).
  public init(_ address: TransportAddress, backlog: Int32 = 128) throws(TCPListenerError) {
    let descriptor = clx_tcp_socket(address.family == .ipv4 ? AF_INET : AF_INET6)
    guard descriptor >= 0 else { throw .system(address, operation: "socket", code: errno) }
    var on: Int32 = 1
    // Connections of an earlier server that have not quite ended do not keep the port.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    if address.family == .ipv6 {
      var isIPv6Only: Int32 = address.high == 0 && address.low == 0 ? 0 : 1
      setsockopt(
        descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isIPv6Only, socklen_t(MemoryLayout<Int32>.size))
    }
    guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw code == EADDRINUSE ? .portInUse(address) : .system(address, operation: "listen", code: code)
    }
    fileDescriptor = descriptor
  }

  deinit { close() }

  /// Frees the port. Idempotent. An event loop has to be told before (`remove(fileDescriptor:)`).
  public func close() {
    if fileDescriptor >= 0 { Glibc.close(fileDescriptor) }
    fileDescriptor = -1
  }

  /// The port that it listens at; 0 once closed.
  public var boundPort: UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fileDescriptor, $0, &length) }
    }
    guard result == 0 else { return 0 }
    return withUnsafeBytes(of: &address) { bytes in
      bytes.baseAddress.flatMap { TransportAddress(socketAddress: $0, length: length) }?.port ?? 0
    }
  }

  /// The next connection that waits, for datagrams.
  public func accept() -> Outcome {
    switch acceptConnection() {
    case .descriptor(let descriptor, let remote):
      .stream(DatagramStream(fileDescriptor: descriptor, remoteAddress: remote))
    case .none: .none
    case .exhausted: .exhausted
    }
  }

  /// The next connection that waits.
  public func acceptConnection() -> Connection {
    // A connection that has ended before it was accepted is an error of its own.
    for _ in 0..<16 {
      var address = sockaddr_in6()
      var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      let descriptor = clx_accept(fileDescriptor, &address, &length)
      guard descriptor >= 0 else {
        switch errno {
        case EAGAIN, EBADF: return .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        default: continue
        }
      }
      guard
        var remote = withUnsafeBytes(
          of: &address,
          { bytes in
            bytes.baseAddress.flatMap { TransportAddress(socketAddress: $0, length: length) }
          })
      else {
        Glibc.close(descriptor)
        continue
      }
      remote.transport = .tcp
      // An old kernel without these only sends later.
      _ = clx_tcp_send_at_once(descriptor, Self.unsentByteCount)
      return .descriptor(descriptor, remote)
    }
    return .none
  }
}
