public import CMediaEngine
import MediaEngine

/// See MediaEngine.h.
@c @implementation
public func media_engine_join(
  _ engine: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ channel: UnsafePointer<CChar>?, _ uid: UInt32,
  _ options: UnsafePointer<media_engine_channel_options>?
) -> Int32 {
  call(engine) { engine throws(EngineErrorCode) in
    engine.joinChannel(
      token: optionalText(token), channelID: try text(channel), uid: UInt(uid),
      options: options == nil ? ChannelMediaOptions() : try channelOptions(options))
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_join_ex(
  _ engine: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ connection: UnsafePointer<media_engine_connection>?,
  _ options: UnsafePointer<media_engine_channel_options>?
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    guard let connection else { throw .invalidArgument }
    return engine.joinChannelEx(
      token: optionalText(token), connection: connection, delegate: nil,
      options: options == nil ? ChannelMediaOptions() : try channelOptions(options))
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_leave(_ engine: OpaquePointer?) -> Int32 {
  call(engine) { engine in engine.leaveChannel() }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_leave_ex(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    guard let connection else { throw .invalidArgument }
    return engine.leaveChannelEx(connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_update_channel_options(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?,
  _ options: UnsafePointer<media_engine_channel_options>?
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    let options = try channelOptions(options)
    guard let connection else { return engine.updateChannelMediaOptions(options) }
    return engine.updateChannelMediaOptionsEx(options, connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_set_client_role(
  _ engine: OpaquePointer?, _ role: Int32, _ latencyLevel: Int32
) -> Int32 {
  call(engine) { engine throws(EngineErrorCode) in
    guard let role = try optional(role, as: ClientRole.self) else { throw .invalidArgument }
    let level = try optional(latencyLevel, as: AudienceLatencyLevel.self)
    return engine.setClientRole(role, options: ClientRoleOptions(audienceLatencyLevel: level ?? .ultraLowLatency))
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_renew_token(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?, _ token: UnsafePointer<CChar>?
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    let token = try text(token)
    guard !token.isEmpty else { throw .invalidArgument }
    guard let connection else { return engine.renewToken(token) }
    return engine.updateChannelMediaOptionsEx(ChannelMediaOptions(token: token), connection: connection)
  }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_get_connection_state(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?
) -> Int32 {
  call(engine, connection) { engine, connection in engine.connectionState(of: connection).rawValue }
}

/// See MediaEngine.h.
@c @implementation
public func media_engine_get_statistics(
  _ engine: OpaquePointer?, _ connection: UnsafePointer<media_engine_connection>?,
  _ statistics: UnsafeMutablePointer<media_engine_statistics>?
) -> Int32 {
  call(engine, connection) { engine, connection throws(EngineErrorCode) in
    // Checked first: a wrong size is told in any state.
    try media_engine_statistics.check(UnsafePointer(statistics))
    guard let totals = engine.statistics(of: connection) else { throw .invalidState }
    try media_engine_statistics(totals).write(to: statistics)
    return 0
  }
}
