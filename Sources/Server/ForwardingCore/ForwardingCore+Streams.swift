import ICEAgent
public import MediaBase

/// Addresses that can end: those of TCP connections.
extension ForwardingCore {
  /// Whether a connectivity check has proved that the address is a peer's.
  public func hasPeer(at address: TransportAddress) -> Bool { peersByAddress.find(address) != nil }

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
