public import MediaBase

/// What an agent reports.
public enum ICEEvent: Hashable, Sendable {
  /// A path has been chosen: datagrams may be sent to this address.
  case connected(TransportAddress)
  /// The other side is now at another address (its network or its NAT's mapping changed).
  case addressChanged(TransportAddress)
  /// Nothing proves any more that the other side wants to receive (RFC 7675): stop sending.
  case disconnected
}
