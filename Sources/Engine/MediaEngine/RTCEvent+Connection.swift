extension RTCEvent {
  /// The connection that the event is about; `nil` for devices.
  public var connection: RTCConnection? {
    switch self {
    case .joinedChannel(let connection, _, _),
      .rejoinedChannel(let connection, _, _),
      .leftChannel(let connection, _),
      .userJoined(let connection, _, _),
      .userOffline(let connection, _, _),
      .connectionChanged(let connection, _, _),
      .connectionInterrupted(let connection),
      .connectionLost(let connection),
      .remoteVideoState(let connection, _, _, _, _),
      .remoteAudioState(let connection, _, _, _, _),
      .firstLocalVideoFramePublished(let connection, _),
      .firstLocalAudioFramePublished(let connection, _),
      .firstRemoteVideoDecoded(let connection, _, _, _, _),
      .firstRemoteVideoFrame(let connection, _, _, _, _),
      .firstRemoteAudioFrame(let connection, _, _),
      .firstRemoteAudioDecoded(let connection, _, _),
      .intraRequestReceived(let connection, _),
      .roleChanged(let connection, _, _, _),
      .roleChangeFailed(let connection, _, _),
      .videoPublishState(let connection, _, _, _),
      .audioPublishState(let connection, _, _, _),
      .videoSubscribeState(let connection, _, _, _, _),
      .audioSubscribeState(let connection, _, _, _, _),
      .subscribeFallback(let connection, _, _),
      .audioMuted(let connection, _, _),
      .videoMuted(let connection, _, _),
      .videoEnabled(let connection, _, _),
      .localVideoEnabled(let connection, _, _),
      .userState(let connection, _, _),
      .streamMessage(let connection, _, _, _),
      .streamMessageError(let connection, _, _, _, _, _),
      .encryptionError(let connection, _, _),
      .statistics(let connection, _),
      .localVideoStatistics(let connection, _),
      .localAudioStatistics(let connection, _),
      .remoteVideoStatistics(let connection, _),
      .remoteAudioStatistics(let connection, _),
      .volumeIndication(let connection, _, _),
      .activeSpeaker(let connection, _),
      .networkQuality(let connection, _, _, _),
      .uplinkNetworkInfo(let connection, _),
      .downlinkNetworkInfo(let connection, _),
      .snapshotTaken(let connection, _, _, _, _, _),
      .renderingTrace(let connection, _, _, _),
      .tokenWillExpire(let connection, _),
      .tokenRequested(let connection),
      .tokenRenewed(let connection, _, _):
      connection
    case .error(let connection, _, _), .warning(let connection, _, _), .videoSizeChanged(let connection, _, _, _, _):
      connection
    case .firstLocalVideoFrame, .localVideoState, .localAudioState, .networkType, .permissionError: nil
    }
  }
}
