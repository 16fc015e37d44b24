import LinuxIO

extension NetworkContext {
  /// Tells of the kind of network, and of every change from now on. Nothing happens the second time.
  func watchNetwork() {
    guard networkType == nil else { return }
    lookAtNetwork()
    guard let socket = NetworkChangeSocket() else { return }
    networkChanges = socket
    loop.add(fileDescriptor: socket.fileDescriptor) { [weak self] in
      if self?.networkChanges?.drain() == true { self?.lookAtNetwork() }
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
