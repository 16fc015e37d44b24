import CallAPI
import ControlWire
import MediaBase

/// What the world's timeline holds.
enum SimulatedAction {
  case datagramToServer([UInt8], from: TransportAddress)
  case datagramToClient([UInt8], at: TransportAddress)
  case controlToServer(ControlSocket, ControlRequestStep)
  case controlToClient(ControlSocket, ControlResponseStep)
  case signalToServer(SimulatedUser, client: UInt64, SignalRequest)
  case signalToClient(SimulatedUser, client: UInt64, SignalResponse)
  case channelEvent(SimulatedUser, room: String, CallStateMachine.ChannelEvent)
  case serverTimer
  case connectionTimer(SimulatedConnection)
  case callTimer(SimulatedUser, generation: Int)
  case picture(SimulatedUser)
  case sound(SimulatedUser)
}

/// What travels to the server on a control socket.
enum ControlRequestStep {
  case open
  case request(ChannelRequest)
  case close
}

/// What travels from the server on a control socket.
enum ControlResponseStep {
  case opened
  case response(ChannelResponse)
  case closed
}

/// A control connection: both ends and the two ways between them.
final class ControlSocket {
  /// Its number at the server.
  let client: UInt64
  let connection: SimulatedConnection
  var uplink: ReliableLink
  var downlink: ReliableLink
  var isOpenAtServer = false

  init(client: UInt64, connection: SimulatedConnection, uplink: ReliableLink, downlink: ReliableLink) {
    self.client = client
    self.connection = connection
    self.uplink = uplink
    self.downlink = downlink
  }
}
