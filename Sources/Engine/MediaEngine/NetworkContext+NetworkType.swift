import LinuxIO

extension NetworkContext {
  /// Tells of the kind of network, and of every change from now on. Nothing happens the second time.
  func watchNetwork() {
    guard networkType == nil else { return }
    lookAtNetwork()
    guard let socket = NetworkChangeSocket() else { return }
    networkChanges = socket
    addresses = InterfaceAddress.usable()
    loop.add(fileDescriptor: socket.fileDescriptor) { [weak self] in
      guard let self, networkChanges?.drain() == true else { return }
      lookAtNetwork()
      lookAtAddresses()
    }
  }

  /// Tells connections whose datagrams leave from another address of this machine than before, and those that wait to be
  /// joined again when there is a new one. That the address of a control socket has gone, that socket says.
  private func lookAtAddresses() {
    let now = MonotonicClock.now()
    let usable = InterfaceAddress.usable()
    let hasAdded = !usable.isSubset(of: addresses)
    addresses = usable
    for connection in connections.values {
      var isTold = hasAdded
      if let destination = connection.destination, let source = UDPSocket.sourceAddress(toward: destination),
        source != connection.source
      {
        connection.source = source
        connection.core.mediaSourceChanged(now: now)
        isTold = true
      }
      if hasAdded { connection.core.addressAdded(now: now) }
      if isTold { drain(connection) }
    }
  }

  /// Something about this machine's networks may be different.
  func lookAtNetwork() {
    let type = NetworkType(NetworkLink.current(root: systemDirectory))
    guard type != networkType else { return }
    networkType = type
    runtime?.dispatcher.tell(nil, .networkType(type))
  }

  func stopWatchingNetwork() {
    guard let socket = networkChanges else { return }
    loop.remove(fileDescriptor: socket.fileDescriptor)
    networkChanges = nil
  }
}
