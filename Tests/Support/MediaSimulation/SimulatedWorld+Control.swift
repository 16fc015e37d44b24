import ChannelCore
import ControlWire
import EngineCore
import MediaBase

extension SimulatedWorld {
  /// Does what a core wants done with its control socket.
  func perform(_ command: ControlCommand, _ connection: SimulatedConnection) {
    switch command {
    case .connect:
      closeSocket(connection)
      let user = connection.user
      let socket = ControlSocket(
        client: nextClient(), connection: connection,
        uplink: ReliableLink(conditions: user.network.up, seed: random.next()),
        downlink: ReliableLink(conditions: user.network.down, seed: random.next()))
      connection.socket = socket
      send(.open, on: socket)
    case .send(let request):
      if let socket = connection.socket { send(.request(request), on: socket) }
    case .close: closeSocket(connection)
    }
  }

  private func closeSocket(_ connection: SimulatedConnection) {
    guard let socket = connection.socket else { return }
    connection.socket = nil
    send(.close, on: socket)
  }

  /// Breaks the control sockets of a user, as an operating system does that has waited too long: both sides learn of it.
  func breakSockets(of user: SimulatedUser) {
    for connection in user.connections {
      guard let socket = connection.socket else { continue }
      connection.socket = nil
      deliver(.close, to: server, on: socket)
      connection.core.controlClosed(.closed(message: "The connection was reset."), now: now)
      drain(connection)
    }
  }

  /// Ends the media server as by `kill -9` and starts it again at once: everybody's control sockets break.
  public func restartMediaServer() {
    server.restart(seed: random.next(), now: now)
    for user in users {
      for connection in user.presentConnections {
        guard let socket = connection.socket else { continue }
        socket.isOpenAtServer = false
        connection.socket = nil
        connection.core.controlClosed(.closed(message: "The connection was reset."), now: now)
        drain(connection)
      }
    }
  }

  private func send(_ step: ControlRequestStep, on socket: ControlSocket) {
    let time = socket.uplink.arrival(now: now, deadUntil: socket.connection.user.deadUntil)
    timeline.schedule(.controlToServer(socket, step), at: time)
  }

  private func send(_ step: ControlResponseStep, on socket: ControlSocket) {
    let time = socket.downlink.arrival(now: now, deadUntil: socket.connection.user.deadUntil)
    timeline.schedule(.controlToClient(socket, step), at: time)
  }

  /// Something has come to the server.
  func deliver(_ step: ControlRequestStep, to server: SimulatedServer, on socket: ControlSocket) {
    trace.add(socket.client)
    switch step {
    case .open:
      socket.isOpenAtServer = true
      server.sockets[socket.client] = socket
      send(.opened, on: socket)
    case .request(let request):
      guard socket.isOpenAtServer else { return }
      server.shard.receive(request, from: socket.client, now: now)
      finishServerTurn()
    case .close: closeAtServer(socket)
    }
  }

  private func closeAtServer(_ socket: ControlSocket) {
    guard socket.isOpenAtServer else { return }
    socket.isOpenAtServer = false
    server.sockets[socket.client] = nil
    server.shard.clientClosed(socket.client, now: now)
    finishServerTurn()
  }

  /// Does what the shard wants done with a control socket.
  func carryOut(_ delivery: ControlDelivery) {
    guard let socket = server.sockets[delivery.client] else { return }
    if let response = delivery.response { send(.response(response), on: socket) }
    guard delivery.closesAfter else { return }
    send(.closed, on: socket)
    closeAtServer(socket)
  }

  /// Something has come to a client, if it still cares for this socket.
  func deliver(_ step: ControlResponseStep, on socket: ControlSocket) {
    let connection = socket.connection
    guard connection.socket === socket else { return }
    trace.add(socket.client)
    switch step {
    case .opened: connection.core.controlOpened(now: now)
    case .response(let response):
      trace.add("\(response)")
      connection.core.controlReceived(response, now: now)
    case .closed:
      connection.socket = nil
      connection.core.controlClosed(.closed(message: "The server has closed the connection."), now: now)
    }
    drain(connection)
  }
}
