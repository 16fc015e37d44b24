import EngineCore

extension RTCEngine {
  /// Begins the traces of first pictures on the default connection now instead of at the join call: what
  /// `videoRenderingTracingResult` then says counts from here.
  ///
  /// - Returns: 0; -8 (not in a channel), -7.
  @discardableResult public func startMediaRenderingTracing() -> Int {
    changeConnection(nil) { connection in
      connection.handle.tracer.restart()
      return .ok
    }
  }

  /// Begins the traces of first pictures on one connection now.
  ///
  /// - Returns: 0; -8 (no such connection), -7.
  @discardableResult public func startMediaRenderingTracingEx(_ connection: RTCConnection) -> Int {
    changeConnection(connection) { connection in
      connection.handle.tracer.restart()
      return .ok
    }
  }
}
