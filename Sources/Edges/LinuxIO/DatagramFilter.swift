public import MediaBase

/// Whose datagrams a socket takes while it is flooded: the kernel drops those of others before they wake anybody.
///
/// Let through is what comes from a known address, and a connectivity check (STUN, RFC 8489) for a known user name from
/// anywhere. It is a sieve, no lock: of strangers' datagrams a few get through, and of those who are known none is lost.
public struct DatagramFilter: Sendable {
  /// Addresses that anything may come from. TCP addresses have no meaning here.
  public var addresses: [TransportAddress] = []
  /// The first four bytes of each user name for which checks may come, in network order.
  private(set) var userNames: [UInt32] = []

  /// Makes a filter that lets nothing through.
  public init() {}

  /// Lets checks through whose user name has the same first four bytes as `text`: a fragment has at least four (RFC 8445
  /// section 5.3).
  public mutating func addUserName(startingLike text: String) {
    userNames.append(text.utf8.prefix(4).reduce(0) { $0 &<< 8 | UInt32($1) })
  }
}

extension UDPSocket {
  /// Drops from now on what `filter` does not let through, in place of an earlier filter. What waits already is not looked
  /// at. `false`, and everything comes in as before, if the kernel does not take the filter.
  @discardableResult
  public func setFilter(_ filter: DatagramFilter) -> Bool {
    var generator = SystemRandomNumberGenerator()
    return FilterProgram(filter, secret: { UInt32.random(in: 0...UInt32.max, using: &generator) })
      .attach(to: fileDescriptor)
  }

  /// Lets everything in again.
  public func removeFilter() { _ = FilterProgram.detach(from: fileDescriptor) }

  /// Datagrams that the kernel has dropped at this socket, by a filter or since its buffer was full; begins again after
  /// 2^32.
  public var refusedDatagrams: UInt32 { FilterProgram.droppedDatagrams(at: fileDescriptor) }
}
