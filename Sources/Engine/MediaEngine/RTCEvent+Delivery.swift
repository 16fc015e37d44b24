import EngineCore

extension RTCEvent {
  /// Calls the delegate's method for this event.
  func deliver(to delegate: any RTCEngineDelegate, of engine: RTCEngine) {
    switch self {
    case .joinedChannel(let connection, let uid, let elapsed):
      delegate.rtcEngine(engine, connection: connection, didJoinChannel: uid, elapsed: elapsed)
    case .rejoinedChannel(let connection, let uid, let elapsed):
      delegate.rtcEngine(engine, connection: connection, didRejoinChannel: uid, elapsed: elapsed)
    case .leftChannel(let connection, let statistics):
      delegate.rtcEngine(engine, connection: connection, didLeaveChannel: statistics)
    case .userJoined(let connection, let uid, let elapsed):
      delegate.rtcEngine(engine, connection: connection, didJoinedOfUID: uid, elapsed: elapsed)
    case .userOffline(let connection, let uid, let reason):
      delegate.rtcEngine(engine, connection: connection, didOfflineOfUID: uid, reason: reason)
    case .connectionChanged(let connection, let state, let reason):
      delegate.rtcEngine(engine, connection: connection, connectionChanged: state, reason: reason)
    case .connectionInterrupted(let connection):
      delegate.rtcEngineConnectionDidInterrupted(engine, connection: connection)
    case .connectionLost(let connection): delegate.rtcEngineConnectionDidLost(engine, connection: connection)
    case .error(let connection, let code, let message):
      delegate.rtcEngine(engine, connection: connection, didOccurError: code, message: message)
    case .warning(let connection, let code, let message):
      delegate.rtcEngine(engine, connection: connection, didOccurWarning: code, message: message)
    case .permissionError(let type): delegate.rtcEngine(engine, permissionError: type)
    case .localVideoState(let state, let reason):
      delegate.rtcEngine(engine, localVideoStateChanged: state, reason: reason)
    case .localAudioState(let state, let reason):
      delegate.rtcEngine(engine, localAudioStateChanged: state, reason: reason)
    case .roleChanged(let connection, let old, let new, let options):
      delegate.rtcEngine(engine, connection: connection, didClientRoleChanged: old, newRole: new)
      delegate.rtcEngine(
        engine, connection: connection, didClientRoleChanged: old, newRole: new, newRoleOptions: options)
    case .roleChangeFailed(let connection, let reason, let current):
      delegate.rtcEngine(engine, connection: connection, didClientRoleChangeFailed: reason, currentRole: current)
    case .tokenWillExpire(let connection, let token):
      delegate.rtcEngine(engine, connection: connection, tokenPrivilegeWillExpire: token)
    case .tokenRequested(let connection): delegate.rtcEngineRequestToken(engine, connection: connection)
    case .tokenRenewed(let connection, let token, let result):
      delegate.rtcEngine(engine, connection: connection, renewTokenResult: result, token: token)
    default: deliverFrameEvent(to: delegate, of: engine)
    }
  }

  private func deliverFrameEvent(to delegate: any RTCEngineDelegate, of engine: RTCEngine) {
    switch self {
    case .remoteVideoState(let connection, let uid, let state, let reason, let elapsed):
      delegate.rtcEngine(
        engine, connection: connection, remoteVideoStateChangedOfUID: uid, state: state, reason: reason,
        elapsed: elapsed)
    case .remoteAudioState(let connection, let uid, let state, let reason, let elapsed):
      delegate.rtcEngine(
        engine, connection: connection, remoteAudioStateChangedOfUID: uid, state: state, reason: reason,
        elapsed: elapsed)
    case .firstLocalVideoFrame(let width, let height, let elapsed):
      delegate.rtcEngine(engine, firstLocalVideoFrame: width, height: height, elapsed: elapsed)
    case .firstLocalVideoFramePublished(let connection, let elapsed):
      delegate.rtcEngine(engine, connection: connection, firstLocalVideoFramePublished: elapsed)
    case .firstLocalAudioFramePublished(let connection, let elapsed):
      delegate.rtcEngine(engine, connection: connection, firstLocalAudioFramePublished: elapsed)
    case .firstRemoteVideoDecoded(let connection, let uid, let width, let height, let elapsed):
      delegate.rtcEngine(
        engine, connection: connection, firstRemoteVideoDecodedOfUID: uid, width: width, height: height,
        elapsed: elapsed)
    case .firstRemoteVideoFrame(let connection, let uid, let width, let height, let elapsed):
      delegate.rtcEngine(
        engine, connection: connection, firstRemoteVideoFrameOfUID: uid, width: width, height: height, elapsed: elapsed)
    case .firstRemoteAudioFrame(let connection, let uid, let elapsed):
      delegate.rtcEngine(engine, connection: connection, firstRemoteAudioFrameOfUID: uid, elapsed: elapsed)
    case .firstRemoteAudioDecoded(let connection, let uid, let elapsed):
      delegate.rtcEngine(engine, connection: connection, firstRemoteAudioDecodedOfUID: uid, elapsed: elapsed)
    case .videoSizeChanged(let connection, let uid, let width, let height, let rotation):
      delegate.rtcEngine(
        engine, connection: connection, videoSizeChangedOfUID: uid, width: width, height: height, rotation: rotation)
    case .renderingTrace(let connection, let uid, let event, let info):
      delegate.rtcEngine(
        engine, connection: connection, videoRenderingTracingResultOfUID: uid, event: event, info: info)
    case .intraRequestReceived(let connection, let trackID):
      delegate.rtcEngine(engine, connection: connection, intraRequestReceivedOfTrack: trackID)
    case .snapshotTaken(let connection, let uid, let path, let width, let height, let error):
      delegate.rtcEngine(
        engine, connection: connection, snapshotTakenOfUID: uid, path: path, width: width, height: height, error: error)
    default: deliverStreamEvent(to: delegate, of: engine)
    }
  }

  private func deliverStreamEvent(to delegate: any RTCEngineDelegate, of engine: RTCEngine) {
    switch self {
    case .videoPublishState(let connection, let old, let new, let elapsed):
      delegate.rtcEngine(
        engine, connection: connection, didVideoPublishStateChange: old, newState: new, elapsed: elapsed)
    case .audioPublishState(let connection, let old, let new, let elapsed):
      delegate.rtcEngine(
        engine, connection: connection, didAudioPublishStateChange: old, newState: new, elapsed: elapsed)
    case .videoSubscribeState(let connection, let uid, let old, let new, let elapsed):
      delegate.rtcEngine(
        engine, connection: connection, didVideoSubscribeStateChangeOfUID: uid, oldState: old, newState: new,
        elapsed: elapsed)
    case .audioSubscribeState(let connection, let uid, let old, let new, let elapsed):
      delegate.rtcEngine(
        engine, connection: connection, didAudioSubscribeStateChangeOfUID: uid, oldState: old, newState: new,
        elapsed: elapsed)
    case .subscribeFallback(let connection, let uid, let isFallback):
      delegate.rtcEngine(
        engine, connection: connection, didRemoteSubscribeFallbackToAudioOnly: isFallback, byUID: uid)
    case .audioMuted(let connection, let uid, let muted):
      delegate.rtcEngine(engine, connection: connection, didAudioMuted: muted, byUID: uid)
    case .videoMuted(let connection, let uid, let muted):
      delegate.rtcEngine(engine, connection: connection, didVideoMuted: muted, byUID: uid)
    case .videoEnabled(let connection, let uid, let enabled):
      delegate.rtcEngine(engine, connection: connection, didVideoEnabled: enabled, byUID: uid)
    case .localVideoEnabled(let connection, let uid, let enabled):
      delegate.rtcEngine(engine, connection: connection, didLocalVideoEnabled: enabled, byUID: uid)
    case .userState(let connection, let uid, let state):
      delegate.rtcEngine(engine, connection: connection, userStateChanged: state, ofUID: uid)
    case .streamMessage(let connection, let uid, let streamID, let data):
      delegate.rtcEngine(
        engine, connection: connection, receiveStreamMessageFromUID: uid, streamID: streamID, data: data)
    case .streamMessageError(let connection, let uid, let streamID, let error, let missed, let cached):
      delegate.rtcEngine(
        engine, connection: connection, didOccurStreamMessageErrorFromUID: uid, streamID: streamID, error: error,
        missed: missed, cached: cached)
    case .encryptionError(let connection, let uid, let type):
      delegate.rtcEngine(engine, connection: connection, didOccurEncryptionError: type, ofUID: uid)
    default: deliverReport(to: delegate, of: engine)
    }
  }

  private func deliverReport(to delegate: any RTCEngineDelegate, of engine: RTCEngine) {
    switch self {
    case .statistics(let connection, let report):
      delegate.rtcEngine(engine, connection: connection, reportStatistics: report)
    case .localVideoStatistics(let connection, let report):
      delegate.rtcEngine(engine, connection: connection, localVideoStatistics: report)
    case .localAudioStatistics(let connection, let report):
      delegate.rtcEngine(engine, connection: connection, localAudioStatistics: report)
    case .remoteVideoStatistics(let connection, let report):
      delegate.rtcEngine(engine, connection: connection, remoteVideoStatistics: report)
    case .remoteAudioStatistics(let connection, let report):
      delegate.rtcEngine(engine, connection: connection, remoteAudioStatistics: report)
    case .volumeIndication(let connection, let speakers, let totalVolume):
      delegate.rtcEngine(
        engine, connection: connection, reportAudioVolumeIndicationOf: speakers, totalVolume: totalVolume)
    case .activeSpeaker(let connection, let uid):
      delegate.rtcEngine(engine, connection: connection, activeSpeaker: uid)
    case .networkQuality(let connection, let uid, let tx, let rx):
      delegate.rtcEngine(engine, connection: connection, networkQualityOfUID: uid, tx: tx, rx: rx)
    case .uplinkNetworkInfo(let connection, let info):
      delegate.rtcEngine(engine, connection: connection, uplinkNetworkInfoUpdate: info)
    case .downlinkNetworkInfo(let connection, let info):
      delegate.rtcEngine(engine, connection: connection, downlinkNetworkInfoUpdate: info)
    case .networkType(let type): delegate.rtcEngine(engine, networkTypeChanged: type)
    default: break
    }
  }
}
