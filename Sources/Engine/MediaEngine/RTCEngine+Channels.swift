import ControlWire
import EngineCore
import MediaBase

extension RTCEngine {
  /// Called once when a channel has been joined: channel, the local user's number, milliseconds since the call.
  public typealias JoinSuccess = @Sendable (_ channelID: String, _ uid: UInt, _ elapsed: Int) -> Void

  /// Joins a channel as the engine's default connection.
  ///
  /// - Parameters:
  ///   - token: proof of the right to join; `nil` in development mode.
  ///   - channelID: 1 to 63 bytes of letters, digits and the allowed punctuation.
  ///   - uid: the local user's number, up to 2^32 - 1; 0 lets the server choose.
  ///   - options: what to publish and receive; unset fields take their defaults.
  ///   - joinSuccess: called instead of the delegates' `didJoinChannel`.
  /// - Returns: 0; -121 (uid too large), -102 (channel name), -17 (the default connection or this pair is in use), -7.
  @discardableResult
  public func joinChannel(
    token: String?, channelID: String, uid: UInt, options: ChannelMediaOptions, joinSuccess: JoinSuccess? = nil
  ) -> Int {
    runtime.change { intent, parts in
      guard ControlProtocol.isValidChannelName(channelID) else { return .invalidChannelName }
      guard uid <= UInt(UInt32.max) else { return .invalidUserID }
      let requested = RTCConnection(channelID: channelID, localUID: uid)
      guard intent.defaultIndex == nil, intent.index(of: requested) == nil else { return .joinRejected }
      let role = options.clientRoleType ?? intent.role ?? .audience
      let handle = ConnectionHandle(
        id: intent.takeID(), isDefault: true, requested: requested, delegate: nil, joinSuccess: joinSuccess)
      runtime.join(handle, token: token, role: role, options: options, &intent, parts)
      return .ok
    }
  }

  /// Joins a channel as one more connection, with a delegate of its own; without one the engine's delegates are told.
  ///
  /// - Returns: 0; -121 (uid 0 or too large), -5 (empty channel name), -102 (other bad channel name), -17 (this pair is in
  ///   use), -7.
  @discardableResult
  public func joinChannelEx(
    token: String?, connection: RTCConnection, delegate: (any RTCEngineDelegate)?, options: ChannelMediaOptions,
    joinSuccess: JoinSuccess? = nil
  ) -> Int {
    runtime.change { intent, parts in
      guard !connection.channelID.isEmpty else { return .refused }
      guard ControlProtocol.isValidChannelName(connection.channelID) else { return .invalidChannelName }
      guard ControlProtocol.isValidUID(connection.localUID) else { return .invalidUserID }
      guard intent.index(of: connection) == nil else { return .joinRejected }
      let handle = ConnectionHandle(
        id: intent.takeID(), isDefault: false, requested: connection, delegate: delegate, joinSuccess: joinSuccess)
      runtime.join(
        handle, token: token, role: options.clientRoleType ?? .audience, options: options, &intent, parts)
      return .ok
    }
  }

  /// Leaves the default connection and all others. `didLeaveChannel` follows for each.
  ///
  /// - Returns: 0; -18 (not in any channel), -7.
  @discardableResult public func leaveChannel() -> Int {
    runtime.change { intent, parts in
      guard !intent.connections.isEmpty else { return .leaveRejected }
      while let connection = intent.connections.popLast() { runtime.leave(connection.handle, parts) }
      return .ok
    }
  }

  /// Leaves one connection.
  ///
  /// - Returns: 0; -18 (no such connection), -7.
  @discardableResult public func leaveChannelEx(_ connection: RTCConnection) -> Int {
    runtime.change { intent, parts in
      guard let index = intent.index(of: connection) else { return .leaveRejected }
      runtime.leave(intent.connections.remove(at: index).handle, parts)
      return .ok
    }
  }

  /// Changes what the default connection publishes and receives, its role and its token; unset fields stay as they are.
  ///
  /// - Returns: 0; -8 (not in a channel), -7.
  @discardableResult public func updateChannelMediaOptions(_ options: ChannelMediaOptions) -> Int {
    update(nil, options)
  }

  /// Changes what a connection publishes and receives, its role and its token; unset fields stay as they are.
  ///
  /// - Returns: 0; -8 (not in a channel), -7.
  @discardableResult
  public func updateChannelMediaOptionsEx(_ options: ChannelMediaOptions, connection: RTCConnection) -> Int {
    update(connection, options)
  }

  private func update(_ connection: RTCConnection?, _ options: ChannelMediaOptions) -> Int {
    runtime.change { intent, _ in
      guard let index = intent.usableIndex(of: connection) else { return .invalidState }
      intent.connections[index].merge(options)
      intent.retryDevices(for: options)
      return .ok
    }
  }

  /// Sets the role on the default connection, now or for the next join.
  @discardableResult public func setClientRole(_ role: ClientRole) -> Int {
    runtime.change { intent, _ in
      intent.role = role
      if let index = intent.defaultIndex { intent.connections[index].role = role }
      return .ok
    }
  }

  /// Replaces the default connection's token.
  ///
  /// - Returns: 0; -2 (empty), -8 (not in a channel), -7.
  @discardableResult public func renewToken(_ token: String) -> Int {
    changeConnection(nil) { connection in
      guard !token.isEmpty else { return .invalidArgument }
      connection.token = token
      return .ok
    }
  }

  /// One more delegate for a connection that exists.
  ///
  /// - Returns: 0; -2 (no such connection), -7.
  @discardableResult
  public func addDelegateEx(_ delegate: any RTCEngineDelegate, connection: RTCConnection) -> Int {
    runtime.change { intent, _ in
      guard let index = intent.index(of: connection) else { return .invalidArgument }
      intent.connections[index].handle.addDelegate(delegate)
      return .ok
    }
  }

  /// Takes a connection's delegate away.
  ///
  /// - Returns: 0; -2 (no such connection), -7.
  @discardableResult
  public func removeDelegateEx(_ delegate: any RTCEngineDelegate, connection: RTCConnection) -> Int {
    runtime.change { intent, _ in
      guard let index = intent.index(of: connection) else { return .invalidArgument }
      intent.connections[index].handle.removeDelegate(delegate)
      return .ok
    }
  }

  /// Changes one connection (the default one if none is named); -8 if it is not there or has failed.
  func changeConnection(
    _ connection: RTCConnection?, _ body: (inout ConnectionIntent) -> EngineErrorCode
  ) -> Int {
    runtime.change { intent, _ in
      guard let index = intent.usableIndex(of: connection) else { return .invalidState }
      return body(&intent.connections[index])
    }
  }
}
