import ControlWire
import EngineCore
import LinuxIO
import MediaBase
import WebSocketIO

extension NetworkContext {
  func perform(_ command: ControlCommand, _ connection: ConnectionRuntime) {
    switch command {
    case .connect: connect(connection)
    case .send(let request):
      guard let text = try? ControlMessageCoding.encode(request) else { return }
      connection.webSocket?.send(text: text)
    case .close:
      connection.webSocket?.close(code: 1_000)
      connection.webSocket = nil
      connection.webSocketGeneration += 1
    }
  }

  private func connect(_ connection: ConnectionRuntime) {
    connection.webSocket?.close(code: 1_000)
    connection.webSocketGeneration += 1
    let generation = connection.webSocketGeneration
    let id = connection.handle.id
    connection.webSocket = WebSocketClient(
      url: server + ControlProtocol.channelPath, trustedCertificates: trustedCertificates
    ) { [self, loop] event in
      loop.post { self.received(event, connectionID: id, generation: generation) }
    }
  }

  private func received(_ event: WebSocketEvent, connectionID: Int, generation: Int) {
    guard let connection = connections[connectionID], connection.webSocketGeneration == generation else { return }
    let now = MonotonicClock.now()
    switch event {
    case .opened: connection.core.controlOpened(now: now)
    case .text(let text):
      // What cannot be understood is a newer server's; the protocol's version was agreed on in `join`.
      guard let response = try? ControlMessageCoding.decode(ChannelResponse.self, from: text) else { return }
      connection.core.controlReceived(response, now: now)
    case .closed(_, let reason):
      connection.webSocket = nil
      connection.core.controlClosed(
        .closed(message: reason.isEmpty ? "The server has closed the connection." : reason), now: now)
    case .addressLost:
      connection.webSocket = nil
      connection.core.clientAddressChanged(now: now)
    case .failed(let error):
      connection.webSocket = nil
      connection.core.controlClosed(.unreachable(message: "\(error)"), now: now)
    }
    drain(connection)
  }

  /// The UDP socket, made when the first datagram is to go out, in the family of its destination.
  func openSocket(_ connection: ConnectionRuntime, family: TransportAddress.Family) {
    guard connection.socket == nil || connection.socketFamily != family else { return }
    closeSocket(connection)
    guard let socket = try? UDPSocket(host: family == .ipv4 ? "0.0.0.0" : "::", port: 0) else { return }
    connection.socket = socket
    connection.socketFamily = family
    let id = connection.handle.id
    loop.add(fileDescriptor: socket.fileDescriptor) { [weak self] in self?.readable(id) }
  }

  func closeSocket(_ connection: ConnectionRuntime) {
    guard let socket = connection.socket else { return }
    loop.remove(fileDescriptor: socket.fileDescriptor)
    socket.close()
    connection.socket = nil
  }

  private func readable(_ id: Int) {
    guard let connection = connections[id], let socket = connection.socket else { return }
    let now = MonotonicClock.now()
    socket.receiveBatch(into: batch) { datagram, source in
      connection.core.receive(datagram: datagram, from: source, now: now)
    }
    drain(connection)
  }
}
