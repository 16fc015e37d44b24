/// One remote user on one connection of the engine.
struct StreamID: Hashable, Sendable {
  /// `ConnectionHandle.id`.
  var connectionID: Int
  var uid: UInt
}

/// A place where a canvas can be bound before the user, or even the connection, is there.
struct CanvasKey: Hashable, Sendable {
  /// The connection's name; `nil` for the default connection, whatever its name.
  var connection: RTCConnection?
  var uid: UInt

  init(connection: RTCConnection?, uid: UInt) {
    self.connection = connection
    self.uid = uid
  }

  init(handle: ConnectionHandle, uid: UInt) {
    self.init(connection: handle.isDefault ? nil : handle.requested, uid: uid)
  }
}
