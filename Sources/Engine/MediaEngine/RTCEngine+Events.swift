extension RTCEngine {
  /// Everything that the delegates are told, of all connections and the devices, from now on, in the same order.
  ///
  /// Each call gives a stream of its own. It ends with the engine; one that is not read keeps its newest 4,096 events.
  ///
  ///     for await event in engine.events {
  ///       if case .userJoined(let connection, let uid, _) = event { print("\(uid) is in \(connection.channelID)") }
  ///     }
  public var events: AsyncStream<RTCEvent> { runtime.dispatcher.events(of: nil) }

  /// The events of one connection, past its leaving and through every later joining of the same pair. It may be asked for
  /// before the connection is there. A default connection that joins with uid 0 goes by 0 too.
  public func events(of connection: RTCConnection) -> AsyncStream<RTCEvent> {
    runtime.dispatcher.events(of: connection)
  }
}
