public import MediaBase

/// Whose limit a client counts against: an IPv4 address, or the 64 bits of an IPv6 address that a customer is given.
public struct ClientNetwork: Hashable, Sendable {
  private let prefix: UInt64

  /// The network of an address; its port does not matter.
  public init(_ address: TransportAddress) {
    // An IPv4 address that came to a socket for both kinds (RFC 4291 section 2.5.5.2) is one.
    let isMapped = address.family == .ipv6 && address.high == 0 && address.low &>> 32 == 0xFFFF
    // No IPv6 address of a host begins with 32 zeros, except ::1, which has no neighbours.
    prefix = address.family == .ipv4 || isMapped ? address.low & 0xFFFF_FFFF : address.high
  }

  /// The network of an IP address as text; those that are none count together.
  public init(host: String) {
    self.init(TransportAddress(host: host, port: 0) ?? TransportAddress(ipv4: 0, port: 0))
  }
}
