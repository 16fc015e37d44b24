import ICEAgent
import MediaBase
import SecureChannel

/// Keys by DTLS.
extension ForwardingCore {
  mutating func receiveHandshake(
    _ datagram: UnsafeRawBufferPointer, from source: TransportAddress, for peer: Int32, now: MediaInstant
  ) {
    guard !peers[peer].isLost else { return }
    peers[peer].ice.useBeforeNomination(source, now: now)
    takeConnectivityEvents(of: peer, now: now)
    if source == peers[peer].ice.selectedRemoteAddress { peers[peer].credit.received(datagram.count, from: source) }
    peers[peer].dtls?.receive(datagram, from: isProved(source, for: peer) ? nil : source, now: now)
    peers[peer].hasHandshakeOutput = true
    enqueue(peer)
    takeHandshakeState(of: peer, now: now)
    schedule(peer, now: now)
  }

  /// What came of a handshake before the check that has just proved its address.
  mutating func receiveEarlyHandshake(from source: TransportAddress, for peer: Int32, now: MediaInstant) {
    for datagram in earlyHandshakes.take(from: source, now: now) {
      datagram.withUnsafeBytes { receiveHandshake($0, from: source, for: peer, now: now) }
    }
  }

  /// Whether a peer is known to get what is sent to `address`: it has asked for its session from there, it has repeated a
  /// cookie that was sent there, or there is a TCP connection.
  private func isProved(_ address: TransportAddress, for peer: Int32) -> Bool {
    address.transport == .tcp || peers[peer].provedHost?.isSameHost(as: address) == true
      || peers[peer].dtls?.provedAddress == address
  }

  /// The next datagram of the handshake that may go to `destination` now.
  mutating func takeHandshakeDatagram(of peer: Int32, to destination: TransportAddress) -> [UInt8]? {
    guard let datagram = peers[peer].heldHandshake ?? peers[peer].dtls?.pollTransmit() else { return nil }
    guard isProved(destination, for: peer) || peers[peer].credit.take(datagram.count, for: destination) else {
      peers[peer].heldHandshake = datagram
      return nil
    }
    peers[peer].heldHandshake = nil
    return datagram
  }

  mutating func handleHandshakeTimeout(of peer: Int32, now: MediaInstant) {
    guard let dtls = peers[peer].dtls, let due = dtls.nextTimeout, due <= now else { return }
    dtls.handleTimeout(now: now)
    peers[peer].hasHandshakeOutput = true
    enqueue(peer)
    takeHandshakeState(of: peer, now: now)
  }

  private mutating func takeHandshakeState(of peer: Int32, now: MediaInstant) {
    guard let dtls = peers[peer].dtls else { return }
    switch dtls.state {
    case .handshaking: break
    case .established(let keys):
      guard peers[peer].sender == nil else { return }
      guard let incoming = SRTPKeyMaterial(profile: keys.profile, bytes: keys.client),
        let outgoing = SRTPKeyMaterial(profile: keys.profile, bytes: keys.server),
        setKeys(of: peer, incoming: incoming, outgoing: outgoing)
      else { return lose(peer, now: now) }
      if peers[peer].isConnected { connected(peer, now: now) }
    case .failed, .closed: lose(peer, now: now)
    }
  }
}
