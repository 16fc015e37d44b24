import LinuxIO
import MediaBase

/// Which addresses clients are told to send media to.
enum CandidateHosts {
  /// More would only make clients check for longer.
  static let maximumCount = 16

  /// Interfaces of containers and virtual machines, which nobody outside this machine reaches.
  private static let internalInterfaces = [
    "docker", "br-", "veth", "virbr", "vnet", "cni", "flannel", "cali", "lxc", "podman",
  ]

  /// The addresses to tell, best first: those that were asked for; otherwise where the socket is bound; and if that is
  /// everywhere, what the machine's interfaces have.
  ///
  /// - Parameter bound: an IP address, with any port.
  static func hosts(
    advertised: [String], bound: TransportAddress, interfaces: @autoclosure () -> [InterfaceAddress]
  ) throws(ChannelServerError) -> [TransportAddress] {
    guard advertised.isEmpty else { return try parsed(advertised) }
    guard bound.isWildcard else { return [bound] }
    return reachable(interfaces(), family: bound.family)
  }

  private static func parsed(_ hosts: [String]) throws(ChannelServerError) -> [TransportAddress] {
    var addresses: [TransportAddress] = []
    for host in hosts {
      guard let address = TransportAddress(host: host, port: 0) else {
        throw .invalidConfiguration(
          "'\(host)' cannot be told to clients: it is not an IP address. Use for example 203.0.113.7 or 2001:db8::7.")
      }
      guard !address.isWildcard, !address.isMulticast else {
        throw .invalidConfiguration(
          "'\(host)' cannot be told to clients: nobody can send there to reach this machine. Use one of its addresses.")
      }
      if !addresses.contains(address) { addresses.append(address) }
    }
    guard addresses.count <= maximumCount else {
      throw .invalidConfiguration("\(addresses.count) addresses are too many to tell; use at most \(maximumCount).")
    }
    return addresses
  }

  /// An IPv6 socket takes IPv4 too.
  private static func reachable(
    _ interfaces: [InterfaceAddress], family: TransportAddress.Family
  ) -> [TransportAddress] {
    let usable = interfaces.filter { entry in
      entry.isUp && !entry.address.isLinkLocal && (family == .ipv6 || entry.address.family == .ipv4)
        && !internalInterfaces.contains { entry.interface.hasPrefix($0) }
    }
    let outside = usable.filter { !$0.isLoopback && !$0.address.isLoopback }
    var addresses: [TransportAddress] = []
    for entry in outside.isEmpty ? usable : outside where !addresses.contains(entry.address) {
      addresses.append(entry.address)
    }
    return Array(addresses.prefix(maximumCount))
  }
}

extension TransportAddress {
  /// Whether only this machine can reach the address.
  var isLoopback: Bool {
    switch family {
    case .ipv4: low &>> 24 == 127
    case .ipv6: high == 0 && low == 1
    }
  }

  /// The same address with another port.
  func withPort(_ port: UInt16) -> TransportAddress {
    var address = self
    address.port = port
    return address
  }

  /// The same address by another protocol.
  func with(_ transport: Transport) -> TransportAddress {
    var address = self
    address.transport = transport
    return address
  }

  /// Whether it stands for all addresses of a machine.
  var isWildcard: Bool { high == 0 && low == 0 }

  /// 169.254.0.0/16 or fe80::/10: only good together with the name of an interface.
  var isLinkLocal: Bool {
    switch family {
    case .ipv4: low &>> 16 == 0xA9FE
    case .ipv6: high &>> 54 == 0xFE80 &>> 6
    }
  }

  /// 224.0.0.0/4 and what is above, or ff00::/8.
  var isMulticast: Bool {
    switch family {
    case .ipv4: low &>> 28 >= 14
    case .ipv6: high &>> 56 == 0xFF
    }
  }
}
