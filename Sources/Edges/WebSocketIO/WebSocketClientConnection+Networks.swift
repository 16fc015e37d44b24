import CSoup
import LinuxIO
import MediaBase

extension WebSocketClientConnection {
  /// Notes where the server is, and which address of this machine leads there.
  func noteServer(_ address: UnsafeMutablePointer<GSocketAddress>?) {
    guard let address else { return }
    let length = Int(g_socket_address_get_native_size(address))
    guard length > 0 else { return }
    server = withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) { bytes -> TransportAddress? in
      guard let base = bytes.baseAddress, g_socket_address_to_native(address, base, gsize(length), nil) != 0 else {
        return nil
      }
      return TransportAddress(socketAddress: base, length: socklen_t(length))
    }
    source = server.flatMap { UDPSocket.sourceAddress(toward: $0) }
  }

  /// Something about this machine's networks is different.
  ///
  /// TCP does not notice that the address of a connection has gone: it repeats for minutes what nobody answers. While no
  /// address leads to the server, the old one may come back. One that is still there may work or not, whatever the routes
  /// prefer now: that shows in a ping.
  func networkChanged() {
    guard !hasEnded else { return }
    guard connection != nil else { return networkChangedWhileOpening() }
    guard let server, let source, let current = UDPSocket.sourceAddress(toward: server), current != source else {
      return
    }
    if InterfaceAddress.usable().contains(source) { probe() } else { end(.addressLost) }
  }

  /// Which address an attempt belongs to is not known: with any that goes it is begun anew.
  private func networkChangedWhileOpening() {
    guard !addresses.isSubset(of: InterfaceAddress.usable()) else { return }
    restartsOpening = true
    cancelOpening()
  }

  private func probe() {
    guard !isProbing else { return }
    isProbing = true
    probeCount += 1
    setPingInterval()
    loop?.post(afterMilliseconds: Self.probeTimeoutMilliseconds) { [weak self, probeCount] in
      if let self, isProbing, self.probeCount == probeCount { end(.addressLost) }
    }
  }
}
