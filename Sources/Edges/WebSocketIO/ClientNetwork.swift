import MediaBase

/// Whose limit a connection counts against: an IPv4 address, or the 64 bits of an IPv6 address that a customer is given.
struct ClientNetwork: Hashable {
  private let prefix: UInt64

  init(_ address: TransportAddress) {
    // No IPv6 address of a host begins with 32 zeros, except ::1, which has no neighbours.
    prefix = address.family == .ipv4 ? address.low : address.high
  }
}
