import ICEAgent
public import MediaBase

/// Addresses that peers have proved to be theirs.
extension ForwardingCore {
  /// Whether a connectivity check has proved that the address is a peer's.
  public func hasPeer(at address: TransportAddress) -> Bool { peersByAddress.find(address) != nil }

  /// Hands over all addresses that peers use, and all user name fragments by which a peer's checks name the server's side:
  /// whoever is neither is a stranger, whose datagrams have no effect.
  public func forEachKnownSender(address: (TransportAddress) -> Void, usernameFragment: (String) -> Void) {
    for peer in peersByClient.values {
      for known in peers[peer].addresses { address(known) }
      for name in peers[peer].usernameFragments { usernameFragment(name) }
    }
  }

  /// The connection to `address` has ended. A peer that was sent to over it gets nothing until its checks name another
  /// path; its consent runs out as usual.
  public mutating func pathClosed(_ address: TransportAddress, now: MediaInstant) {
    guard let peer = peersByAddress.find(address) else { return }
    peersByAddress.remove(address)
    peers[peer].addresses.removeAll { $0 == address }
    let wasConnected = peers[peer].isConnected
    peers[peer].ice.pathClosed(address)
    guard wasConnected, !peers[peer].isConnected else { return }
    for egress in peers[peer].egresses { refresh(egress, now: now) }
  }
}
