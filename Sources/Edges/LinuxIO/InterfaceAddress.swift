import Glibc
public import MediaBase

/// An IP address of this machine, and the network interface that has it.
public struct InterfaceAddress: Hashable, Sendable {
  /// The interface's name: `lo`, `eth0`, ...
  public var interface: String
  /// The address; its port is 0.
  public var address: TransportAddress
  /// Whether the interface is switched on.
  public var isUp: Bool
  /// Whether it leads back to this machine only.
  public var isLoopback: Bool
  /// Whether a cable is plugged in, a radio connected, or what else it needs.
  public var isRunning: Bool

  /// Makes a value.
  public init(
    interface: String, address: TransportAddress, isUp: Bool = true, isLoopback: Bool = false, isRunning: Bool = true
  ) {
    self.interface = interface
    self.address = address
    self.isUp = isUp
    self.isLoopback = isLoopback
    self.isRunning = isRunning
  }

  /// The addresses that datagrams can leave from now: those of interfaces that are switched on and connected. Their ports
  /// are 0.
  public static func usable() -> Set<TransportAddress> {
    Set(all().filter { $0.isUp && $0.isRunning }.map(\.address))
  }

  /// All addresses in the system's order; none if it does not tell.
  public static func all() -> [InterfaceAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [InterfaceAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let socketAddress = entry.ifa_addr, let name = entry.ifa_name else { continue }
      let isIPv6 = Int32(socketAddress.pointee.sa_family) == AF_INET6
      let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
      guard let address = TransportAddress(socketAddress: socketAddress, length: socklen_t(length)) else { continue }
      addresses.append(
        InterfaceAddress(
          interface: String(cString: name), address: address, isUp: entry.ifa_flags & UInt32(IFF_UP) != 0,
          isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0,
          isRunning: entry.ifa_flags & UInt32(IFF_RUNNING) != 0))
    }
    return addresses
  }
}
