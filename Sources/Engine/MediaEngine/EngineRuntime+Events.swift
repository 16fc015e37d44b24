import ControlWire
import EngineCore
import MediaBase

extension EngineRuntime {
  /// Tells the delegates what a connection reports, on the network thread. Media events have been taken out before.
  func report(_ event: ConnectionEvent, of handle: ConnectionHandle, statistics: () -> RTCStatistics) {
    switch event {
    case .stateChanged(let state, let reason): stateChanged(state, reason, of: handle)
    case .joined(let uid, let elapsed): joined(uid, elapsed, of: handle)
    case .rejoined(let uid, let elapsed):
      tell(handle) { $1.rtcEngine($0, connection: $2, didRejoinChannel: uid, elapsed: elapsed.wholeMilliseconds) }
    case .userJoined(let uid, let elapsed):
      tell(handle) { $1.rtcEngine($0, connection: $2, didJoinedOfUID: uid, elapsed: elapsed.wholeMilliseconds) }
    case .userOffline(let uid, let reason):
      forgetExceptions(of: uid, handle)
      tell(handle) { $1.rtcEngine($0, connection: $2, didOfflineOfUID: uid, reason: reason) }
    case .remoteVideoState(let uid, let state, let reason, let elapsed):
      tell(handle) {
        $1.rtcEngine(
          $0, connection: $2, remoteVideoStateChangedOfUID: uid, state: state, reason: reason,
          elapsed: elapsed.wholeMilliseconds)
      }
    case .remoteAudioState(let uid, let state, let reason, let elapsed):
      tell(handle) {
        $1.rtcEngine(
          $0, connection: $2, remoteAudioStateChangedOfUID: uid, state: state, reason: reason,
          elapsed: elapsed.wholeMilliseconds)
      }
    case .firstRemoteAudioPacket(let uid, let elapsed):
      tell(handle) {
        $1.rtcEngine($0, connection: $2, firstRemoteAudioFrameOfUID: uid, elapsed: elapsed.wholeMilliseconds)
      }
    case .firstVideoPublished(let elapsed):
      tell(handle) { $1.rtcEngine($0, connection: $2, firstLocalVideoFramePublished: elapsed.wholeMilliseconds) }
    case .firstAudioPublished(let elapsed):
      tell(handle) { $1.rtcEngine($0, connection: $2, firstLocalAudioFramePublished: elapsed.wholeMilliseconds) }
    case .roleChanged(let oldRole, let newRole):
      tell(handle) { $1.rtcEngine($0, connection: $2, didClientRoleChanged: oldRole, newRole: newRole) }
    case .tokenWillExpire(let token):
      tell(handle) { $1.rtcEngine($0, connection: $2, tokenPrivilegeWillExpire: token) }
    case .tokenRequested: tell(handle) { $1.rtcEngineRequestToken($0, connection: $2) }
    case .tokenRenewed(let token, let result):
      tell(handle) { $1.rtcEngine($0, connection: $2, renewTokenResult: result, token: token) }
    case .error(let code, let message): tellError(handle, code, message)
    case .left:
      let totals = statistics()
      tell(handle) { $1.rtcEngine($0, connection: $2, didLeaveChannel: totals) }
    case .videoFrame, .audioPacket, .keyFrameNeeded, .lowKeyFrameNeeded, .firstRemoteVideoFrame: break
    }
  }

  /// Tells a connection's delegates, who are also given the connection's name.
  private func tell(
    _ handle: ConnectionHandle,
    _ body: @escaping @Sendable (RTCEngine, any RTCEngineDelegate, RTCConnection) -> Void
  ) {
    let connection = handle.connection
    dispatcher.tell(handle) { engine, delegate in body(engine, delegate, connection) }
  }

  private func stateChanged(
    _ state: ConnectionState, _ reason: ConnectionChangedReason, of handle: ConnectionHandle
  ) {
    handle.connectionState = state
    if state == .failed {
      _ = change { intent, _ in
        if let index = intent.index(id: handle.id) { intent.connections[index].hasFailed = true }
        return .ok
      }
    }
    tell(handle) { $1.rtcEngine($0, connection: $2, connectionChanged: state, reason: reason) }
  }

  private func joined(_ uid: UInt, _ elapsed: MediaDuration, of handle: ConnectionHandle) {
    handle.setLocalUID(uid)
    let milliseconds = elapsed.wholeMilliseconds
    if let joinSuccess = handle.takeJoinSuccess() {
      let channel = handle.requested.channelID
      dispatcher.run { joinSuccess(channel, uid, milliseconds) }
    } else {
      tell(handle) { $1.rtcEngine($0, connection: $2, didJoinChannel: uid, elapsed: milliseconds) }
    }
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
