import Glibc
public import MediaBase

extension TransportAddress {
  /// Reads a `sockaddr_in` or `sockaddr_in6`; IPv4 addresses mapped into IPv6 become plain IPv4. `nil` for other families.
  ///
  /// - Parameter length: how many bytes there are.
  public init?(socketAddress: UnsafeRawPointer, length: socklen_t) {
    guard length >= socklen_t(MemoryLayout<sockaddr_in>.size) else { return nil }
    switch Int32(socketAddress.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET:
      let address = socketAddress.loadUnaligned(as: sockaddr_in.self)
      self.init(ipv4: UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
    case AF_INET6 where length >= socklen_t(MemoryLayout<sockaddr_in6>.size):
      let port = UInt16(bigEndian: socketAddress.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      // Offset 8 is sin6_addr: RFC 3493 section 3.3.
      let high = UInt64(bigEndian: socketAddress.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      let low = UInt64(bigEndian: socketAddress.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      if high == 0, low &>> 32 == 0xFFFF {
        self.init(ipv4: UInt32(truncatingIfNeeded: low), port: port)
      } else {
        self.init(ipv6High: high, low: low, port: port)
      }
    default:
      return nil
    }
  }

  /// Calls `body` with the address as the kernel takes it. With `mapped`, IPv4 is written as IPv6 (`::ffff:a.b.c.d`), for
  /// sockets of both families.
  @inline(__always)
  func withSocketAddress<Result>(
    mapped: Bool = false, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    if family == .ipv4, !mapped {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
      return withUnsafeBytes(of: &address) { Self.call(body, $0) }
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    let halves = family == .ipv4 ? (0, 0xFFFF_0000_0000 | low) : (high, low)
    withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
      bytes.storeBytes(of: halves.0.bigEndian, toByteOffset: 0, as: UInt64.self)
      bytes.storeBytes(of: halves.1.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return withUnsafeBytes(of: &address) { Self.call(body, $0) }
  }

  @inline(__always)
  private static func call<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result, _ bytes: UnsafeRawBufferPointer
  ) -> Result {
    // The two address structures are never empty, so their buffers have a base.
    guard let base = bytes.baseAddress else { preconditionFailure("a structure has an address") }
    return body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
  }
}
