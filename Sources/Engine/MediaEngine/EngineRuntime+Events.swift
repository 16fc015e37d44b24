import ControlWire
import EngineCore
import MediaBase
import RTPSession
import Synchronization

extension EngineRuntime {
  /// Tells the delegates what a connection reports, on the network thread. Media events have been taken out before.
  func report(_ event: ConnectionEvent, of handle: ConnectionHandle, statistics: () -> RTCStatistics) {
    let connection = handle.connection
    switch event {
    case .stateChanged(let state, let reason): stateChanged(state, reason, of: handle)
    case .joined(let uid, let elapsed): joined(uid, elapsed, of: handle)
    case .rejoined(let uid, let elapsed):
      tell(handle, .rejoinedChannel(connection, uid: uid, elapsed: elapsed.wholeMilliseconds))
    case .userJoined(let uid, let elapsed):
      handle.tracer.userJoined(uid)
      tell(handle, .userJoined(connection, uid: uid, elapsed: elapsed.wholeMilliseconds))
    case .userOffline(let uid, let reason):
      handle.tracer.userOffline(uid)
      forgetExceptions(of: uid, handle)
      tell(handle, .userOffline(connection, uid: uid, reason: reason))
    case .roleChanged(let old, let new):
      tell(handle, .roleChanged(connection, from: old, to: new, options: roleOptions(of: handle)))
    case .roleChangeFailed(let reason, let current): roleChangeFailed(reason, current, of: handle)
    case .tokenWillExpire(let token): tell(handle, .tokenWillExpire(connection, token: token))
    case .tokenRequested:
      // Before it is told: the application may join again, or give another token, at once.
      noteFailure(of: handle, awaitsToken: true)
      tell(handle, .tokenRequested(connection))
    case .tokenRenewed(let token, let result, let current): tokenRenewed(token, result, current, of: handle)
    case .error(let code, let message): tellError(handle, code, message)
    case .warning(let code, let message): tellWarning(handle, code, message)
    case .left:
      let totals = statistics()
      handle.finishJoin(.failure(.aborted))
      if let completion = handle.takeLeaveCompletion() { dispatcher.run { completion(totals) } }
      tell(handle, .leftChannel(connection, totals))
    case .firstVideoPublished(let elapsed):
      tell(handle, .firstLocalVideoFramePublished(connection, elapsed: elapsed.wholeMilliseconds))
    case .firstAudioPublished(let elapsed):
      tell(handle, .firstLocalAudioFramePublished(connection, elapsed: elapsed.wholeMilliseconds))
    default: reportStream(event, connection, of: handle)
    }
  }

  private func reportStream(_ event: ConnectionEvent, _ connection: RTCConnection, of handle: ConnectionHandle) {
    switch event {
    case .remoteVideoState(let uid, let state, let reason, let elapsed):
      if state == .starting { handle.tracer.packetReceived(uid) }
      tell(
        handle,
        .remoteVideoState(connection, uid: uid, state, reason: reason, elapsed: elapsed.wholeMilliseconds))
    case .remoteAudioState(let uid, let state, let reason, let elapsed):
      tell(
        handle,
        .remoteAudioState(connection, uid: uid, state, reason: reason, elapsed: elapsed.wholeMilliseconds))
    case .firstRemoteAudioPacket(let uid, let elapsed):
      tell(handle, .firstRemoteAudioFrame(connection, uid: uid, elapsed: elapsed.wholeMilliseconds))
    case .publishState(let kind, let old, let new, let elapsed):
      let elapsed = elapsed.wholeMilliseconds
      tell(
        handle,
        kind == .video
          ? .videoPublishState(connection, from: old, to: new, elapsed: elapsed)
          : .audioPublishState(connection, from: old, to: new, elapsed: elapsed))
    case .subscribeState(let uid, let kind, let old, let new, let elapsed):
      let elapsed = elapsed.wholeMilliseconds
      if kind == .video, new == .subscribing { handle.tracer.subscribed(uid) }
      tell(
        handle,
        kind == .video
          ? .videoSubscribeState(connection, uid: uid, from: old, to: new, elapsed: elapsed)
          : .audioSubscribeState(connection, uid: uid, from: old, to: new, elapsed: elapsed))
    case .videoPaused(let uid, let isPaused): tell(handle, .subscribeFallback(connection, uid: uid, isPaused))
    case .lowVideoRequested: lowVideoRequested(handle)
    case .userMediaState(let uid, let old, let new): mediaStateChanged(uid, old, new, connection, handle)
    case .streamMessage(let uid, let streamID, let data):
      tell(handle, .streamMessage(connection, uid: uid, streamID: streamID, data: data))
    case .maySendData(let maySend): handle.maySendData = maySend
    case .encryptionError(let uid, let type): tell(handle, .encryptionError(connection, uid: uid, type))
    case .streamMessageError(let uid, let streamID, let missed):
      tell(
        handle,
        .streamMessageError(
          connection, uid: uid, streamID: streamID, error: .streamMessageTimeout, missed: missed, cached: 0))
    default: break
    }
  }

  /// Tells a connection's delegates.
  func tell(_ handle: ConnectionHandle, _ event: RTCEvent) { dispatcher.tell(handle, event) }

  private func stateChanged(
    _ state: ConnectionState, _ reason: ConnectionChangedReason, of handle: ConnectionHandle
  ) {
    handle.connectionState = state
    if state == .failed {
      // One that waits for a token has been noted, and may have got it since.
      if reason != .tokenExpired { noteFailure(of: handle) }
      handle.finishJoin(.failure(EngineErrorCode(failure: reason)))
    }
    let connection = handle.connection
    tell(handle, .connectionChanged(connection, state, reason: reason))
    guard state == .reconnecting else { return }
    if reason == .interrupted { tell(handle, .connectionInterrupted(connection)) }
    if reason == .lost { tell(handle, .connectionLost(connection)) }
  }

  private func noteFailure(of handle: ConnectionHandle, awaitsToken: Bool = false) {
    _ = change { intent, _ in
      guard let index = intent.index(id: handle.id) else { return .ok }
      intent.connections[index].hasFailed = true
      intent.connections[index].awaitsToken = awaitsToken
      return .ok
    }
  }

  private func joined(_ uid: UInt, _ elapsed: MediaDuration, of handle: ConnectionHandle) {
    handle.setLocalUID(uid)
    handle.tracer.joined()
    let milliseconds = elapsed.wholeMilliseconds
    let joinSuccess = handle.takeJoinSuccess()
    if let joinSuccess {
      let channel = handle.requested.channelID
      dispatcher.run { joinSuccess(channel, uid, milliseconds) }
    }
    let connection = handle.connection
    dispatcher.tell(
      handle, .joinedChannel(connection, uid: uid, elapsed: milliseconds), toDelegates: joinSuccess == nil)
    handle.finishJoin(.success(RTCJoinResult(connection: connection, elapsed: milliseconds)))
    if handle.announcesAudience {
      tell(
        handle, .roleChanged(connection, from: .broadcaster, to: .audience, options: roleOptions(of: handle)))
    }
  }

  private func mediaStateChanged(
    _ uid: UInt, _ old: UserMediaState, _ new: UserMediaState, _ connection: RTCConnection, _ handle: ConnectionHandle
  ) {
    let changed = old.symmetricDifference(new)
    if changed.contains(.muteAudio) {
      tell(handle, .audioMuted(connection, uid: uid, new.contains(.muteAudio)))
    }
    if changed.contains(.muteVideo) {
      tell(handle, .videoMuted(connection, uid: uid, new.contains(.muteVideo)))
    }
    if changed.contains(.enableVideo) {
      tell(handle, .videoEnabled(connection, uid: uid, new.contains(.enableVideo)))
    }
    if changed.contains(.enableLocalVideo) {
      tell(handle, .localVideoEnabled(connection, uid: uid, new.contains(.enableLocalVideo)))
    }
    tell(handle, .userState(connection, uid: uid, new))
  }

  private func lowVideoRequested(_ handle: ConnectionHandle) {
    _ = change { intent, _ in
      guard let index = intent.index(id: handle.id) else { return .invalidState }
      intent.connections[index].isLowVideoRequested = true
      return .ok
    }
  }

  private func roleOptions(of handle: ConnectionHandle) -> ClientRoleOptions {
    intent.withLock { intent in
      let level = intent.index(id: handle.id).map { intent.connections[$0].latencyLevel } ?? .ultraLowLatency
      return ClientRoleOptions(audienceLatencyLevel: level)
    }
  }

  /// The intent goes back to what is, so that asking again is a change again.
  private func roleChangeFailed(
    _ reason: ClientRoleChangeFailedReason, _ current: ClientRole, of handle: ConnectionHandle
  ) {
    _ = change { intent, _ in
      if let index = intent.index(id: handle.id) { intent.connections[index].role = current }
      return .ok
    }
    tell(handle, .roleChangeFailed(handle.connection, reason, current: current))
  }

  /// A token that was refused is not shown again: the intent goes back to the one in use.
  private func tokenRenewed(
    _ token: String, _ result: RenewTokenResult, _ current: String, of handle: ConnectionHandle
  ) {
    if result != .superseded, current != token {
      _ = change { intent, _ in
        guard let index = intent.index(id: handle.id), intent.connections[index].token == token else { return .ok }
        intent.connections[index].token = current
        return .ok
      }
    }
    tell(handle, .tokenRenewed(handle.connection, token: token, result))
  }

  /// Per-user mutes are void once the user has left.
  private func forgetExceptions(of uid: UInt, _ handle: ConnectionHandle) {
    _ = change { intent, _ in
      guard let index = intent.index(id: handle.id),
        intent.connections[index].exceptions.removeValue(forKey: uid) != nil
      else { return .invalidState }
      return .ok
    }
  }
}

extension MediaDuration {
  var wholeMilliseconds: Int { Int(milliseconds) }
}
