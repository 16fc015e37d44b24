import ControlWire
import EngineCore
import MediaBase
import Synchronization

extension RTCEngine {
  /// Called once when a channel has been joined: channel, the local user's number, milliseconds since the call.
  public typealias JoinSuccess = @Sendable (_ channelID: String, _ uid: UInt, _ elapsed: Int) -> Void

  /// Joins a channel as the engine's default connection. One that has failed is left with it.
  ///
  /// - Parameters:
  ///   - token: proof of the right to join; `nil` in development mode.
  ///   - channelID: 1 to 63 bytes of letters, digits and the allowed punctuation.
  ///   - uid: the local user's number, up to 2^32 - 1; 0 lets the server choose.
  ///   - options: what to publish and receive; unset fields take their defaults.
  ///   - joinSuccess: called instead of the delegates' `didJoinChannel`.
  /// - Returns: 0; -2 (an option out of range, a track that there is not, encryption that is asked for and that there is not,
  ///   a bad key, a server that is no WebSocket address), -4 (the key's mode),
  ///   -121 (uid too large), -102 (channel name), -17 (the default connection or this pair is in use and has not failed),
  ///   -19 (a direct audio track that another connection publishes), -8 (an echo test runs), -7.
  @discardableResult
  public func joinChannel(
    token: String?, channelID: String, uid: UInt, options: ChannelMediaOptions, joinSuccess: JoinSuccess? = nil
  ) -> Int {
    joinDefault(
      token: token, channelID: channelID, uid: uid, options: options, joinSuccess: joinSuccess, joinEnd: nil
    ).code
  }

  func joinDefault(
    token: String?, channelID: String, uid: UInt, options: ChannelMediaOptions, joinSuccess: JoinSuccess?,
    joinEnd: ConnectionHandle.JoinEnd?
  ) -> (code: Int, handle: ConnectionHandle?) {
    var made: ConnectionHandle?
    // Let go of without a lock, as in `leaveChannel`.
    var failed: [ConnectionIntent] = []
    let requested = RTCConnection(channelID: channelID, localUID: uid)
    let code = changeByJoining(requested, isDefault: true) { intent, parts in
      guard ControlProtocol.isValidChannelName(channelID) else { return .invalidChannelName }
      guard uid <= UInt(UInt32.max) else { return .invalidUserID }
      guard options.isValid, runtime.hasServer else { return .invalidArgument }
      if let code = intent.refusal(of: PublishedTracks(options), by: nil) { return code }
      guard intent.echoTestInterval == nil else { return .invalidState }
      let encryption: FrameEncryptionSettings?
      do throws(EngineErrorCode) { encryption = try intent.encryption(of: options, isDefault: true) } catch {
        return error
      }
      guard let gone = intent.takePlace(of: { $0.handle.isDefault || $0.isNamed(requested) }) else {
        return .joinRejected
      }
      failed = gone
      for connection in gone { runtime.leave(connection.handle, parts) }
      let role = options.clientRoleType ?? intent.role ?? .audience
      let handle = ConnectionHandle(
        id: intent.takeID(), isDefault: true, requested: requested, delegate: nil, joinSuccess: joinSuccess,
        joinEnd: joinEnd,
        announcesAudience: intent.role == .audience && role == .audience && options.channelProfile != .communication)
      made = handle
      runtime.join(
        handle, token: token, role: role, options: options, encryption: encryption, &intent, parts)
      return .ok
    }
    withExtendedLifetime(failed) {}
    return (code, made)
  }

  /// Joins a channel as one more connection, with a delegate of its own; without one the engine's delegates are told. One of
  /// the same pair that has failed is left with it.
  ///
  /// - Returns: 0; -2 (an option out of range, a track that there is not, encryption that is asked for and that there is not,
  ///   a bad key, a server that is no WebSocket address), -4 (the key's mode),
  ///   -121 (uid 0 or too large), -5 (empty channel name), -102 (other bad channel name), -17 (this pair is in use and has
  ///   not failed), -19 (a direct audio track that another connection publishes), -8 (an echo test runs), -7.
  @discardableResult
  public func joinChannelEx(
    token: String?, connection: RTCConnection, delegate: (any RTCEngineDelegate)?, options: ChannelMediaOptions,
    joinSuccess: JoinSuccess? = nil
  ) -> Int {
    joinExtra(
      token: token, connection: connection, delegate: delegate, options: options, joinSuccess: joinSuccess,
      joinEnd: nil
    ).code
  }

  /// The same, for a channel that somebody else may have chosen: if the application joins it under the same uid by itself,
  /// `giveWay` is called in that call. It leaves this connection, and the application's takes its place.
  package func joinChannelEx(
    token: String?, connection: RTCConnection, delegate: (any RTCEngineDelegate)?, options: ChannelMediaOptions,
    giveWay: (@Sendable () -> Void)?
  ) -> Int {
    joinExtra(
      token: token, connection: connection, delegate: delegate, options: options, joinSuccess: nil, joinEnd: nil,
      giveWay: giveWay
    ).code
  }

  func joinExtra(
    token: String?, connection: RTCConnection, delegate: (any RTCEngineDelegate)?, options: ChannelMediaOptions,
    joinSuccess: JoinSuccess?, joinEnd: ConnectionHandle.JoinEnd?, giveWay: (@Sendable () -> Void)? = nil
  ) -> (code: Int, handle: ConnectionHandle?) {
    var made: ConnectionHandle?
    var failed: [ConnectionIntent] = []
    let code = changeByJoining(connection, isDefault: false, givesWay: giveWay != nil) { intent, parts in
      guard !connection.channelID.isEmpty else { return .refused }
      guard ControlProtocol.isValidChannelName(connection.channelID) else { return .invalidChannelName }
      guard ControlProtocol.isValidUID(connection.localUID) else { return .invalidUserID }
      guard options.isValid, runtime.hasServer else { return .invalidArgument }
      if let code = intent.refusal(of: PublishedTracks(options), by: nil) { return code }
      guard intent.echoTestInterval == nil else { return .invalidState }
      let encryption: FrameEncryptionSettings?
      do throws(EngineErrorCode) { encryption = try intent.encryption(of: options, isDefault: false) } catch {
        return error
      }
      guard let gone = intent.takePlace(of: { $0.isNamed(connection) }) else { return .joinRejected }
      failed = gone
      for connection in gone { runtime.leave(connection.handle, parts) }
      let handle = ConnectionHandle(
        id: intent.takeID(), isDefault: false, requested: connection, delegate: delegate, joinSuccess: joinSuccess,
        joinEnd: joinEnd, giveWay: giveWay)
      made = handle
      runtime.join(
        handle, token: token, role: options.clientRoleType ?? .audience, options: options,
        encryption: encryption, &intent, parts)
      return .ok
    }
    withExtendedLifetime(failed) {}
    return (code, made)
  }

  /// Changes the intent by a join. A connection that gives way is ended first, unless the new one does the same.
  private func changeByJoining(
    _ requested: RTCConnection, isDefault: Bool, givesWay: Bool = false,
    _ body: (inout EngineIntent, EngineRuntime.Parts) -> EngineErrorCode
  ) -> Int {
    let code = runtime.change(body)
    guard code == -EngineErrorCode.joinRejected.rawValue, !givesWay else { return code }
    // Called without a lock: it calls the engine.
    let giveWay = runtime.intent.withLock { intent -> (@Sendable () -> Void)? in
      if isDefault, intent.usableIndex(of: nil) != nil { return nil }
      return intent.index(of: requested).flatMap { intent.connections[$0].handle.giveWay }
    }
    guard let giveWay else { return code }
    giveWay()
    return runtime.change(body)
  }

  /// Called once when a channel has been left, with the connection's totals.
  public typealias LeaveCompletion = @Sendable (RTCStatistics) -> Void

  /// Leaves the default connection and all others. `didLeaveChannel` follows for each.
  ///
  /// - Parameters:
  ///   - options: whether the microphone stops with it.
  ///   - completion: called when the default connection has been left, before its `didLeaveChannel`; not at all if there
  ///     was none.
  /// - Returns: 0; -18 (not in any channel), -7.
  @discardableResult
  public func leaveChannel(
    options: LeaveChannelOptions = LeaveChannelOptions(), completion: LeaveCompletion? = nil
  ) -> Int {
    // Let go of without a lock: what their closures keep alive may call the engine when it goes.
    var left: [ConnectionIntent] = []
    let code = runtime.change { intent, parts in
      guard !intent.connections.isEmpty else { return .leaveRejected }
      intent.keepsMicrophone = !options.stopMicrophoneRecording && intent.devices.audio
      if let completion, let index = intent.defaultIndex {
        intent.connections[index].handle.setLeaveCompletion(completion)
      }
      while let connection = intent.connections.popLast() {
        left.append(connection)
        runtime.leave(connection.handle, parts)
      }
      return .ok
    }
    withExtendedLifetime(left) {}
    return code
  }

  /// Leaves one connection.
  ///
  /// - Parameters:
  ///   - connection: which.
  ///   - options: whether the microphone stops with it.
  ///   - completion: called when that is done, before `didLeaveChannel`.
  /// - Returns: 0; -18 (no such connection), -7.
  @discardableResult
  public func leaveChannelEx(
    _ connection: RTCConnection, options: LeaveChannelOptions = LeaveChannelOptions(),
    completion: LeaveCompletion? = nil
  ) -> Int {
    var left: ConnectionIntent?
    let code = runtime.change { intent, parts in
      guard let index = intent.index(of: connection) else { return .leaveRejected }
      intent.keepsMicrophone = !options.stopMicrophoneRecording && intent.devices.audio
      if let completion { intent.connections[index].handle.setLeaveCompletion(completion) }
      let connection = intent.connections.remove(at: index)
      left = connection
      runtime.leave(connection.handle, parts)
      return .ok
    }
    withExtendedLifetime(left) {}
    return code
  }

  /// Changes what the default connection publishes and receives, its role and its token; unset fields stay as they are.
  ///
  /// - Returns: 0; -2 (an option out of range, a track that there is not, an empty token), -19 (a direct audio track that
  ///   another connection publishes), -8 (not in a channel), -7.
  @discardableResult public func updateChannelMediaOptions(_ options: ChannelMediaOptions) -> Int {
    update(nil, options)
  }

  /// Changes what a connection publishes and receives, its role and its token; unset fields stay as they are.
  ///
  /// - Returns: 0; -2 (an option out of range, a track that there is not, an empty token), -19 (a direct audio track that
  ///   another connection publishes), -8 (not in a channel), -7.
  @discardableResult
  public func updateChannelMediaOptionsEx(_ options: ChannelMediaOptions, connection: RTCConnection) -> Int {
    update(connection, options)
  }

  private func update(_ connection: RTCConnection?, _ options: ChannelMediaOptions) -> Int {
    runtime.change { intent, _ in
      guard let index = intent.index(of: connection, given: options.token) else { return .invalidState }
      guard options.isValid, options.token?.isEmpty != true else { return .invalidArgument }
      var tracks = intent.connections[index].tracks
      tracks.merge(options)
      if let code = intent.refusal(of: tracks, by: intent.connections[index].handle.id) { return code }
      intent.connections[index].merge(options)
      intent.retryDevices(for: options)
      return .ok
    }
  }

  /// Sets the role on the default connection, now or for the next join, and how far an audience may be behind. In a
  /// channel the application need not mute anything: what an audience publishes stops by itself, and goes on when it
  /// becomes broadcaster.
  @discardableResult
  public func setClientRole(_ role: ClientRole, options: ClientRoleOptions = ClientRoleOptions()) -> Int {
    runtime.change { intent, _ in
      intent.role = role
      intent.latencyLevel = options.audienceLatencyLevel
      if let index = intent.defaultIndex {
        intent.connections[index].role = role
        intent.connections[index].latencyLevel = options.audienceLatencyLevel
      }
      return .ok
    }
  }

  /// Sets the role on one connection.
  ///
  /// - Returns: 0; -8 (no such connection), -7.
  @discardableResult
  public func setClientRoleEx(
    _ role: ClientRole, options: ClientRoleOptions = ClientRoleOptions(), connection: RTCConnection
  ) -> Int {
    changeConnection(connection) { connection in
      connection.role = role
      connection.latencyLevel = options.audienceLatencyLevel
      return .ok
    }
  }

  /// Leaves a connection by its handle, if it is still there.
  func leave(_ handle: ConnectionHandle) {
    _ = runtime.change { intent, parts in
      guard let index = intent.index(id: handle.id) else { return .leaveRejected }
      runtime.leave(intent.connections.remove(at: index).handle, parts)
      return .ok
    }
  }

  /// Replaces the default connection's token. `renewTokenResult` answers each call, also one with the token in use.
  ///
  /// The time for it is before the token ends, as `tokenPrivilegeWillExpire` says. Once it has ended, which
  /// `rtcEngineRequestToken` says, the user is out of the channel and the connection has failed (`tokenExpired`): a new token
  /// brings it back (`connecting`, `renewToken`; `didRejoinChannel`) with all that was wanted of it, as does a new join.
  ///
  /// - Returns: 0; -2 (empty), -8 (not in a channel, or failed for another reason), -19 (a direct audio track that another
  ///   connection has taken meanwhile), -7.
  @discardableResult public func renewToken(_ token: String) -> Int {
    runtime.change { intent, _ in
      guard let index = intent.index(of: nil, given: token) else { return .invalidState }
      guard !token.isEmpty else { return .invalidArgument }
      let connection = intent.connections[index]
      if let code = intent.refusal(of: connection.tracks, by: connection.handle.id) { return code }
      intent.connections[index].renew(token)
      return .ok
    }
  }

  /// One more delegate for a connection that exists.
  ///
  /// - Returns: 0; -2 (no such connection), -7.
  @discardableResult
  public func addDelegateEx(_ delegate: any RTCEngineDelegate, connection: RTCConnection) -> Int {
    var seen: [any RTCEngineDelegate] = []
    let code = runtime.change { intent, _ in
      guard let index = intent.index(of: connection) else { return .invalidArgument }
      seen = intent.connections[index].handle.addDelegate(delegate)
      return .ok
    }
    withExtendedLifetime(seen) {}
    return code
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
