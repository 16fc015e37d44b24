import ControlWire

/// What a connection wants its owner to do with its control socket, in this order.
public enum ControlCommand: Sendable {
  /// Open a new socket (an earlier one has been closed), then call `controlOpened(now:)` or `controlClosed(_:now:)`.
  case connect
  /// Send a message on the open socket.
  case send(ChannelRequest)
  /// Close the socket after everything sent before has gone out; no call is expected back.
  case close
}
