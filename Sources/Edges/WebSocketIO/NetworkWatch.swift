import LinuxIO

/// Tells clients of every change of this machine's networks. Used on the thread of their loop only.
final class NetworkWatch {
  private struct Listener {
    weak var client: WebSocketClientConnection?
  }

  private var listeners: [ObjectIdentifier: Listener] = [:]
  private var hasBegun = false

  /// From now on the client is told, until it is removed or has gone.
  func add(_ client: WebSocketClientConnection, of loop: GLibLoop) {
    listeners[ObjectIdentifier(client)] = Listener(client: client)
    guard !hasBegun else { return }
    hasBegun = true
    // Without one, an address that has gone shows in silence only.
    guard let socket = NetworkChangeSocket() else { return }
    let changes = Changes(socket: socket)
    loop.watch(fileDescriptor: socket.fileDescriptor) { [weak loop] in
      if changes.socket.drain() { loop?.networks.tell() }
    }
  }

  func remove(_ client: WebSocketClientConnection) { listeners[ObjectIdentifier(client)] = nil }

  private func tell() {
    for (key, listener) in listeners {
      if let client = listener.client { client.networkChanged() } else { listeners[key] = nil }
    }
  }

  private final class Changes: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.
    let socket: NetworkChangeSocket
    init(socket: NetworkChangeSocket) { self.socket = socket }
  }
}
